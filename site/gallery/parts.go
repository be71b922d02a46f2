package main

// parts are all questions and pictures, in the order of the page. A new kind of picture is a
// function of package plots, with a row in the nasty data of package figure (kinds); a function of
// this folder, whose comment and statements the page shows; and its name here.
func parts() []part {
	return []part{
		{"How do waits grow with the load?", []entry{{"meanWaits", meanWaits}, {"bySize", bySize}, {"spread", spread}, {"unlucky", unlucky}, {"variances", variances}}},
		{"How likely is a long wait?", []entry{{"tails", tails}, {"heavyTail", heavyTail}, {"histogram", histogram}}},
		{"What does blocking waste, job by job?", []entry{{"gantt", gantt}, {"idle", idle}, {"resources", resources}}},
		{"Which policy is better, and for whom?", []entry{{"compare", compare}, {"compareChanges", compareChanges}, {"compareTails", compareTails},
			{"compareQuantiles", compareQuantiles}, {"compareSlowdowns", compareSlowdowns}}},
		{"What does the best policy do?", []entry{{"decisions", decisions}, {"decisionsWhile", decisionsWhile}, {"regions", regions}}},
		{"How many servers are enough, and what else would help?", []entry{{"sizing", sizing}, {"sensitivities", sensitivities}, {"changes", changes}, {"rows", rows}}},
		{"How do waits go with the time of day?", []entry{{"byTime", byTime}, {"quantilesByTime", quantilesByTime}, {"noWaitByTime", noWaitByTime}, {"jobsByTime", jobsByTime}}},
		{"Do the fitted arrivals look like the log's?", []entry{{"arrivalFit", arrivalFit}}},
		{"My own curves", []entry{{"curves", curves}, {"paper", paper}, {"stairs", stairs}, {"band", band}, {"multiples", multiples}}},
	}
}
