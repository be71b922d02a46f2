package foreign

import (
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
)

func TestReadClasses(t *testing.T) {
	for _, c := range []struct{ csv, fault string }{
		{"", "no header"},
		{"servers,mean_service\n", "probability"},
		{"servers,probability\n1,1\n", "mean_service"},
		{"servers,probability,mean_service\n1,x,1\n", "line 2, column probability"},
		{"servers,probability,mean_service\n1,1,1\n1.5,0,1\n", "line 3"},
		{"servers,probability,mean_service\n1,1\n", "line 2"},
	} {
		if _, err := ReadClasses(strings.NewReader(c.csv), nil); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: %v does not mention %q", c.csv, err, c.fault)
		}
	}
	classes, err := ReadClasses(strings.NewReader("servers,probability,mean_service\n2,0.5,1\n2,0.5,3\n"), nil)
	if err != nil || classes[0].Name != "T2" || classes[1].Name != "T2b" || classes[1].Service.Mean() != 3 {
		t.Errorf("%+v, %v", classes, err)
	}
}

func FuzzReadClasses(f *testing.F) {
	f.Add("servers,probability,mean_service\n1,0.5,1\n2,0.5,3\n")
	f.Fuzz(func(t *testing.T, text string) {
		classes, err := ReadClasses(strings.NewReader(text), nil)
		if err == nil {
			_ = mjq.Servers(10).Poisson(1).Classes(classes...).Err()
		}
	})
}
