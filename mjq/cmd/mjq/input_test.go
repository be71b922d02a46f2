package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
)

const okClasses = "servers,probability,mean_service\n1,1,1\n"

// badInputs are a command line with the file f, what that holds, and what the message
// must say.
var badInputs = []struct{ line, ending, text, want string }{
	{"solve f", "json", "{\n\"servers\": 2,\n\"classes\": [}\n", "f.json:3: invalid character"},
	{"solve f", "json", "{\n\"servers\": \"two\",\n\"classes\": []}\n", `f.json:2: servers: "two" is not a whole number; give one as 4`},
	{"solve f", "json", "{\n\"servers\": 2,\n\"polciy\": 3, \"classes\": []}\n", "f.json:3: polciy: unknown; did you mean policy?"},
	{"solve f", "json", "{\"servers\": 2,\n\"classes\": [\n{\"name\":\"a\",\n\"servers\":1}]}", `f.json:4: classes[0].servers: unknown; need is the number of servers of a job, as "need":4`},
	{"solve f", "json", "{\"servers\": 2,\n\"classes\": [\n{\"name\":\"a\",\n\"neeed\":1,\n\"probability\":1}]}", "f.json:4: classes[0].neeed: unknown; did you mean need?\nf.json:5: classes[0].probability: unknown; prob is the share"},
	{"solve f", "json", "{\"servers\": 2,\n\"classes\": [\n{\"need\":1},\n{\"need\":\n[2]}]}", "f.json:4: classes[1].need: [2] is not a whole number"},
	{"solve f", "json", "{\"servers\": 2,\n\"classes\": [\n{\"name\":\"a\",\"need\":1,\"prob\":1}]}", `f.json:3: class "a": no service; give the distribution`},
	{"solve f", "json", "{\"servers\": 2,\n\"classes\": [\n{\"name\":\"a\",\"need\":1,\"prob\":1,\n\"service\":{\"law\":\"ExpMaen\",\"mean\":1}}]}", `f.json:3: class "a": law: "ExpMaen" is not a law`},
	{"solve f", "json", "{\"servers\": 2,\n\"classes\": [\n{\"name\":\"a\",\"need\":1,\"prob\":1,\"service\":{\"law\":\"ExpMean\",\"mean\":1}},\n{\"name\":\"b\",\"need\":3,\"prob\":1,\"service\":{\"law\":\"ExpMean\",\"mean\":1}}]}", `f.json:4: class 2 "b": need 3 exceeds the 2 servers`},
	{"solve f", "json", "{\"servers\": 2,\n\"arrivals\": {\"law\":\"ExpMean\"},\n\"classes\": []}", `f.json:2: arrivals: law: reading ExpMean: the parameter "mean" is missing`},
	{"solve f", "json", "{\"servers\": 2,\n\n\"policy\": {\"policy\":\"LIFO\"},\n\"classes\": []}", `f.json:3: policy "LIFO" is not known`},
	{"stability f --servers 2", "csv", "servers,probability,mean_service\n1,half,1\n", `f.csv:2: column probability: "half" is not a number`},
	{"stability f --servers 2", "csv", "servers,probability,mean_service\n1,.5,1\n1.5,.5,1\n", "f.csv:3: servers is 1.5"},
	{"stability f --servers 2", "csv", "servers,probability\n1,.5\n", "f.csv: reading classes: the header"},
	{"stability f --servers 2", "csv", "servers,probability,mean_service\n1,1,1\n1,1\n", "f.csv:3: wrong number of fields"},
	{"stability f --servers 2", "csv", "servers,probability,mean_service\n1,1,1\n\n2,-1,1\n", `f.csv:4: class 2 "T2"`},
	{"stability f", "csv", okClasses, "f.csv: a list of classes does not say how many servers there are; give --servers"},
	{"stability f", "toml", "cores = 2\nservce = 3\n", `f.toml:2: unknown key "servce"`},
	{"stability f", "toml", "cores = 2\ncores = = 3\n", "f.toml:2: "},
	{"stability f", "txt", okClasses, "f.txt: its ending does not say what it holds"},
	{"stability missing.json", "json", "", "missing.json: no such file or directory"},
	{"stability f --system 2 --servers 1", "csv", okClasses, "--system: f.csv is not a TOML file"},
	{"solve f --servers 1", "csv", okClasses, "f.csv: the model has no arrivals; give --rate, --load or --arrivals"},
	{"solve f --servers 1 --rate -1", "csv", okClasses, "--rate: -1 is no arrival rate"},
	{"solve f --servers 1 --load 0", "csv", okClasses, "--load: 0 is no load"},
	{"solve f --servers 1 --rate x", "csv", okClasses, "--rate"},
	{"solve queue.json --rates f", "txt", "[1, 2,\n zwei]", "f.txt:2: "},
	{"solve f --servers 1 --rate 1 --policy Widow", "csv", okClasses, `--policy: "Widow" is not known; did you mean Window? There are AdaptiveQuickswap`},
	{"solve f --servers 1 --arrivals {}", "csv", okClasses, "--arrivals: "},
	{"solve f --servers 1 --rate 1 --method best", "csv", okClasses, `--method: "best" is not known`},
	{"stability f --servers 1 --method forward", "csv", okClasses, `--method: "forward" is not known here; there are exact, pile`},
	{"solve f --servers 1 --rate 1 --method forward --wait 3", "csv", okClasses, "--method forward: forward has no wait; rare-event does"},
	{"solve f --servers 1 --rate 1 --method dominated --window 5", "csv", okClasses, "--method dominated: dominated has no window; backward, unbiased do"},
	{"solve f --servers 1 --rate 1 --method dominated --max-window 5", "csv", okClasses, "--method dominated: dominated has no max-window; backward do"},
	{"solve f --servers 1 --rate 1 --samples 3", "csv", okClasses, "--samples is a setting of dominated, certified, backward, unbiased; say which by --method"},
	{"solve queue.json --method forward --controls tight", "", "", `--controls: "tight" is not known; there are plain, close`},
	{"capacity queue.json --rel-err 1%", "", "", "capacity has no --rel-err; those with it are compare, largest-rate, "},
	{"sweep queue.json --shard 3", "", "", `--shard: "3" is not a part; give the first of three as 0/3`},
	{"sweep queue.json --laws Erlang(3)", "", "", `--laws: "Erlang(3)" is not known`},
	{"sweep queue.json --laws ErlangMeanPhases", "", "", `--laws: "ErlangMeanPhases": write ErlangMeanPhases(phases)`},
	{"sweep queue.json --laws HyperExpMeanSCV(0.5)", "", "", "is 0.5; give a finite number of at least 1"},
	{"transient queue.json", "", "", "transient needs --until: last time, from now"},
	{`transient queue.json --until 1 --state {"runing":[]}`, "", "", "--state: runing: unknown; did you mean running?"},
	{"transient queue.json --until 1 --state busy", "", "", `--state: "busy" is no JSON`},
	{"merge f", "json", "{", "f.json: "},
	{"merge f", "json", "{}", "f.json is no part of a sweep; give files that mjq sweep --shard K/N --json has written"},
	{"merge part.json", "", "", "part.json: no such file"},
	{"solve queue.json --plot pie --svg", "", "", `--plot: "pie" is no picture`},
	{"solve queue.json --svg --json", "", "", "[json svg] were all set"},
	{"replay f --servers 2", "csv", "arrival,servers,service\n0,1,5\n1,1,oops\n", `f.csv:3: the service time is "oops"`},
	{"replay f --servers 2", "csv", "arrival,servers,service\n0,1,5\n1,3,1\n", "3 servers"},
	{"replay f", "csv", "arrival,servers,service\n0,1,5\n1,1,1\n", "f.csv: the log does not say how many servers there are; give --servers"},
	{"replay f --columns begin=a", "csv", "arrival,servers,service\n0,1,5\n", `--columns: there is no "begin"`},
	{"replay f --by colour", "swf", "", `--by: "colour" is no way to make classes`},
	{"fit jobs.csv --servers 8 --moments 4", "", "", "Moments 4: laws have 1, 2 or 3"},
	{"fit f --servers 2 --arrivals storms", "csv", "arrival,servers,service\n0,1,5\n1,1,1\n", `--arrivals: "storms" is no process`},
	{"fit f --servers 2 --arrivals profile --period 24", "csv", "arrival,servers,service\n0,1,5\n1,1,1\n", "that fits into the span"},
	{"path queue.json --to 1.5", "", "", "give whole numbers"},
	{"path queue.json --by user", "", "", "--by: queue.json is a model, not a log; leave it out"},
	{"path centre.swf --rate 3", "", "", "--rate: centre.swf is a log, which has its own"},
	{"fit f --servers 4", "swf", "; no job\n", ""},
	{"compare queue.json --policy EASY", "", "", "--policy: a comparison needs two policies or more"},
	{"compare centre.swf --policy FCFS;EASY --rate 1 --jobs 9 --by user", "", "", "--rate: centre.swf is a log, which has its own; leave it out\n--jobs: centre.swf is a log"},
	{"compare queue.json --policy FCFS;EASY --by user", "", "", "--by: queue.json is a model, not a log; leave it out"},
	{"compare f --policy FCFS;EASY", "csv", "arrival,servers,service\n0,1,5\n1,1,oops\n", `f.csv:3: the service time is "oops"`},
	{"compare f --policy FCFS;EASY", "csv", "servers,probability,mean_service\n1,half,1\n", `f.csv:2: column probability: "half" is not a number`},
	{"compare centre.swf --policy FCFS;FCFS", "", "", "policy FCFS is given twice"},
	{"compare centre.swf --by colour --policy FCFS", "", "", `--by: "colour" is no way to make classes`},
	{"compare centre.swf", "", "", "--policy: a comparison needs one policy or more"},
	{"compare missing.swf --policy FCFS", "", "", "missing.swf: no such file or directory"},
	{"stability f --servers 4 --tuples exponential", "txt", "(1, 0.5, 2.0)\n\n(2, 0.5)\n", "f.txt:3: 2 numbers; the exponential law takes 3"},
	{"stability f --servers 4 --tuples exponential", "txt", "(1, 0.5, 2.0)\n\n(8, 0.5, 1)\n", `f.txt:3: class 2 "T8": need 8 exceeds the 4 servers`},
	{"stability f --servers 4 --tuples gamma", "txt", "(1, 1, 2.0)\n", `--tuples: "gamma" is no family of distributions; choose exponential`},
	{"stability f --tuples uniform", "txt", "(1, 1, 2.0)\n", "f.txt: a list of classes does not say how many servers there are; give --servers"},
	{"methods queue.json --svg", "", "", "--svg: there is no picture of this; choose --csv, --html or --json"},
	{"fewest-servers queue.json --wait-quantile 0.9", "", "", `--wait-quantile: "0.9" has 1 of 2 numbers; put a colon between them, as PROBABILITY:TIME[:CLASS]`},
	{"solve queue.json --policy FIFO", "", "", "did you mean FCFS?"},
	{"solve queue.json --policy first-fit", "", "", "did you mean FirstFit?"},
	{"fewest-servers queue.json --mean-wait 0", "", "", "mjq: --mean-wait 0: give a positive finite time"},
	{"fewest-servers queue.json --wait-quantile 0.9:-1:big", "", "", "mjq: --wait-quantile 0.9:-1: give a positive"},
	{"solve queue.json --rel-err 5", "", "", "mjq: --rel-err 5: give a fraction"},
	{"fewest-servers queue.json --service-level 1:x:big", "", "", `--service-level: "x" is not a number`},
	{"fewest-servers queue.json", "", "", "fewest-servers needs a goal: --mean-wait, "},
	{"cheapest-servers queue.json --costs 1", "", "", `--costs: "1" has 1 of 2 numbers`},
	{"cheapest-servers queue.json --costs 1:2:3:4", "", "", `--costs: "1:2:3:4" has more than three numbers`},
	{"replay jobs.csv --servers 8 --sleep 600", "", "", `--sleep: "600" has one of two times`},
	{"solve queue.json --sleep 600/soon", "", "", `--sleep: "soon" is no distribution`},
	{"replay jobs.csv --servers 8 --awake 2", "", "", "--awake 2 without --sleep"},
	{"replay jobs.csv --servers 8 --sleep 0/1 --policy EASY", "", "", "choose FCFS or FirstFit"},
	{"solve queue.json --watts 350:180", "", "", `--watts: "350:180" has 2 of 4 numbers`},
	{"replay jobs.csv --servers 8 --elastic need:4=0.5:Linear", "", "", `--elastic: "need:4=0.5:Linear" has no jobs with 2 of their sizes and a speed; give it as train=0.25:2:Power(0.8)`},
	{"replay jobs.csv --servers 8 --elastic need:none=0.5:2:Linear", "", "", `--elastic: "none" is not a whole number`},
	{"replay jobs.csv --servers 8 --elastic need:0=0.5:2:Linear", "", "", "--elastic: need:0 are no jobs"},
	{"replay jobs.csv --servers 8 --elastic usr:ann=0.5:2:Linear", "", "", `--elastic: "usr:ann" is no choice of jobs; give a class, user:NAME, need:SERVERS or all`},
	{"replay jobs.csv --servers 8 --elastic =0.5:2:Linear", "", "", "--elastic: no jobs are named"},
	{"replay jobs.csv --servers 8 --elastic all=0:2:Linear", "", "", "--elastic: 0 is no size; give a multiple"},
	{"replay jobs.csv --servers 8 --elastic all=2:2:Linear", "", "", "Least 2; give a multiple of what jobs ask for"},
	{"replay jobs.csv --servers 8 --elastic all=0.5:2:Quick", "", "", `--elastic: "Quick" is no speed`},
	{"replay jobs.csv --servers 8 --elastic all=0.5:2:Linear:120%", "", "", "--elastic: 1.2 is no share of the jobs"},
	{`replay jobs.csv --servers 8 --elastic {"clas":"a"}`, "", "", `unknown field "clas"; give it as {"need":8`},
	{"replay jobs.csv --servers 8 --partial-class all=0.5:2:Linear", "", "", `--partial-class: "2" is no speed`},
	{"replay jobs.csv --servers 8 --elastic all=0.5:2:Linear --sleep 0/1", "", "", "leave one of them out"},
	{"replay jobs.csv --servers 8 --oldest", "", "", "--oldest without --elastic"},
	{"solve queue.json --failures h=ExpMean(9)/ExpMean(1) --after resume.Shrink()", "", "", "--after HOW.Shrink() without --elastic: "},
	{"cheapest-servers queue.json", "", "", "cheapest-servers needs --costs: "},
	{"largest-need queue.json --mean-wait 1", "", "", "largest-need needs --class: class whose need is sought"},
	{"solve", "", "", "solve takes one file"},
	{"solve queue.json --sedd 1", "", "", "unknown flag: --sedd"},
}

// TestBadInput: one message with file, line and field, exit code 2, and nothing written.
func TestBadInput(t *testing.T) {
	folder := inFolder(t)
	for _, c := range badInputs {
		file := "f." + c.ending
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		args := strings.Fields(c.line)
		for i := range args {
			if args[i] == "f" {
				args[i] = file
			}
		}
		for _, more := range [][]string{nil, {"-o", "answer"}} {
			out, notes, code := command(append(args, more...)...)
			if code != badInput || out != "" || !strings.HasPrefix(notes, "mjq: ") || !strings.Contains(notes, c.want) || strings.Contains(notes, "Usage:") {
				t.Errorf("mjq %v on %q: exit code %d, %q, printed %q; want %q", args, c.text, code, notes, out, c.want)
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if out, notes, code := command("exakt", "queue.json"); code != badInput || out != "" || !strings.Contains(notes, `unknown command "exakt"`) {
		t.Errorf("exit code %d, %q, printed %q", code, notes, out)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "answer*")); left != nil {
		t.Errorf("%v was written", left)
	}
}

// TestNoAnswer: what cannot be computed or written is exit code 1.
func TestNoAnswer(t *testing.T) {
	inFolder(t)
	for line, want := range map[string]string{
		"solve queue.json --method exact --policy EASY":                                "EASY",
		"solve queue.json --method dominated":                                          "must be below 1",
		"stability queue.json -o no/such/folder":                                       "writing the answer",
		`solve queue.json --method exact --arrivals {"law":"Deterministic","value":1}`: "Poisson",
		"stability queue.json --method exact --policy EASY":                            "EASY",
	} {
		out, notes, code := command(strings.Fields(line)...)
		if code != failed || out != "" || !strings.Contains(notes, want) {
			t.Errorf("mjq %s: exit code %d, %q, printed %q", line, code, notes, out)
		}
	}
}

// TestSkipMalformed leaves lines out with a warning.
func TestSkipMalformed(t *testing.T) {
	inFolder(t)
	if err := os.WriteFile("f.csv", []byte("arrival,servers,service\n0,1,5\n1,1,oops\n2,1,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, notes, code := command("replay", "f.csv", "--servers", "1", "--skip-malformed")
	if code != 0 || !strings.Contains(notes, "f.csv:3: ") || !strings.Contains(out, "T1") {
		t.Errorf("exit code %d, %q, printed %q", code, notes, out)
	}
}

// aged is a policy with a real number.
type aged struct {
	policy.Policy
	Age   float64 `json:"age"`
	Kills bool    `json:"kill,omitempty"`
}

// TestPoliciesOfRealNumbers: the number of the compact form is what the policy takes, real
// ones included.
func TestPoliciesOfRealNumbers(t *testing.T) {
	for number, want := range map[string]string{"0.5": `{"age":0.5,"policy":"Aged"}`, "-2": `{"age":-2,"policy":"Aged"}`, "1e-3": `{"age":0.001,"policy":"Aged"}`, "": ""} {
		parts := compact.FindStringSubmatch("Aged(" + number + ")")
		if number == "" {
			parts = compact.FindStringSubmatch("Aged")
		}
		if parts == nil {
			t.Errorf("Aged(%s) is not read", number)
			continue
		}
		text, err := membersOf(parts[1], parts[2], aged{})
		if text != want || (err == nil) != (want != "") {
			t.Errorf("Aged(%s): %s, %v", number, text, err)
		}
	}
	if _, err := membersOf("Aged", "", aged{}); err == nil || err.Error() != "Aged takes a number, its age; write Aged(0.5)" {
		t.Error(err)
	}
	for _, text := range []string{"Aged(0.5.1)", "Aged(e)", "Aged(.)", "Aged()", "Aged(1e)"} {
		if compact.MatchString(text) {
			t.Errorf("%s is read", text)
		}
	}
}

// TestPolicies: the compact form and JSON give the policies of the package.
func TestPolicies(t *testing.T) {
	for text, want := range map[string]policy.Policy{
		"FCFS": mjq.FCFS(), "Window(4)": mjq.Window(4), "EASY": mjq.EASY(), "Conservative": mjq.Conservative(), "Backfill(3)": mjq.Backfill(3),
		"Quickswap(0)": mjq.Quickswap(0), "ArmedQuickswap(2)": mjq.ArmedQuickswap(2), "MaxWeight": mjq.MaxWeight(), "ServerFillingSRPT": policy.ServerFillingSRPT{},
		`{"policy":"Backfill","depth":1,"estimates":{"rule":"given"},"kill":true}`: policy.EASY().Estimates(policy.Given()).Kill(),
	} {
		if p, err := readPolicy(text); err != nil || p != want {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
	for text, want := range map[string]string{
		"Window": "Window takes a whole number, its jobs; write Window(4)", "FCFS(3)": "FCFS takes no number", "Window(4": "is no policy",
		`{"policy":"Window","size":3}`: "size", "EASY(2)": "EASY takes no number", "Window(0.5)": "Window takes a whole number, its jobs, not 0.5; write Window(4)",
		"MSR(1)": "MSR takes no number", "Window(1e400)": "Window takes a whole number", "Widow(2)": `"Widow" is not known; did you mean Window? There are `,
	} {
		if _, err := readPolicy(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	fair := mjq.Multifactor{Age: 1000, MaxAge: 7, FairShare: 10, HalfLife: 2, Shares: "a=2(b=1,c=1) d=1"}.Tier([]string{"urgent"}, []string{"normal"}).Within(mjq.EASY())
	if p, err := readPolicy(fair.String()); err != nil || !reflect.DeepEqual(p, mjq.Policy(fair)) {
		t.Errorf("%v is read as %v; %v", fair, p, err)
	}
	for text, says := range map[string]string{"Multifactor(Age=1": "parenthesis", "Multifactor(Agee=1)": "did you mean Age", "Multifactor().Passing()": `"Passing" is not known`, "Multifactor().Within(X)": `"X" is not known`} {
		if _, err := readPolicy(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
	urgent := mjq.Priority([]string{"urgent"}, []string{"normal", "debug"})
	for text, want := range map[string]policy.Priority{
		"Priority()": mjq.Priority(), "Priority(urgent;normal, debug)": urgent, "Priority(urgent;normal,debug).Preemptive(restart)": urgent.Preemptive(mjq.Restart),
		"Priority(urgent;normal,debug).Preemptive(resume).Exempt(2)":                                      urgent.Preemptive(mjq.Resume).Exempt(2),
		"Priority(urgent;normal,debug).Within(Backfill(3))":                                               urgent.Within(mjq.Backfill(3)),
		`Priority(urgent;normal,debug).Preemptive(resume).Overhead({"law":"Deterministic","value":0.05})`: urgent.Preemptive(mjq.Resume).Overhead(mjq.Deterministic(0.05)),
	} {
		p, err := readPolicy(text)
		if err != nil || !reflect.DeepEqual(p, policy.Policy(want)) {
			t.Errorf("%s: %v, %v", text, p, err)
		}
		var list []policy.Policy
		if err := policies.list(&list, ";").Set(text + ";FCFS;" + text); err != nil || !reflect.DeepEqual(list, []policy.Policy{want, mjq.FCFS(), want}) {
			t.Errorf("a list with %s twice: %v, %v", text, list, err)
		}
	}
	for text, want := range map[string]string{
		"Priority(urgent": "parenthesis", "Priority(a).Preempt(restart)": `"Preempt" is not known`, "Priority(a).Exempt(long)": "a time",
		"Priority(a).Passing(2)": "takes nothing", "Priority(a) and": `"and" is not understood`,
	} {
		if _, err := readPolicy(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, name := range policyNames() {
		text := name
		if _, err := readPolicy(name); err != nil {
			text += "(1)"
		}
		if _, err := readPolicy(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
