package mjq

import "fmt"

// unasked is what is printed of a question in the place of an answer.
func unasked(q any) string { return fmt.Sprintf("%T has not been asked yet: Run(ctx) answers it", q) }

// String says that Run answers the question.
func (q CapacityQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q CompareQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q CourseQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q ExactQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q FewestQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q MSRQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q OptimumQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q PathQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q SampleQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q SensitivitiesQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q SimulateQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q StabilityQuery) String() string { return unasked(q) }

// String says that Run answers the question.
func (q SweepQuery) String() string { return unasked(q) }

// String is what String of the model says that Build makes, or why it makes none.
func (b Builder) String() string {
	m, err := b.Build()
	if err != nil {
		return "not a model yet: " + err.Error()
	}
	return m.String()
}
