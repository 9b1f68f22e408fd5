package mdplan

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// roundsLog makes a log of so many rounds of an agent, of another one's
// between them, and goes through the compactions that so many bring.
func roundsLog(b testing.TB, d *desk, rounds int, another bool) {
	d.play("a1: [>] mine | [ ] mine too")
	d.round(d.as("a", "1"), RoundOptions{})
	if another {
		d.round(d.as("b", "1"), RoundOptions{})
	}
	at, err := resolve(d.path)
	if err != nil {
		b.Fatal(err)
	}
	j := openJournal(at, d.clock)
	j.sync([]byte(d.read()))
	rev := RevOf([]byte(d.read()))
	// After the first compactions the log is in the same state again and again.
	const cycles = 20_000
	for i := max(1, rounds-cycles); i < rounds; i++ {
		j.now = j.now.Add(time.Second)
		j.write(record{Kind: kindRound, By: "a", Session: "1", Rev: rev, Idle: i + 1, Doing: "mine", Rounds: i + 1})
		if another {
			j.write(record{Kind: kindRound, By: "b", Session: "1", Rev: rev, Idle: i + 1})
		}
		j.compact()
	}
	if j.fail != nil {
		b.Fatal(j.fail)
	}
}

// BenchmarkRound closes a round where the log has 100 of them and where it has
// a million, in turns, so that a busy machine is busy for both. "ratio" is that
// of the medians, "mean-ratio" has the compactions in it.
func BenchmarkRound(b *testing.B) {
	for _, another := range []bool{false, true} {
		b.Run(fmt.Sprintf("another=%v", another), func(b *testing.B) {
			var desks [2]*desk
			var sessions [2]*Session
			var took [2][]time.Duration
			for i, rounds := range []int{100, 1_000_000} {
				d := newDesk(b, string(benchPlan(12)))
				roundsLog(b, d, rounds, another)
				desks[i], sessions[i] = d, d.as("a", "1")
			}
			few, err := os.ReadFile(desks[0].logFile())
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if len(took[0])%10 == 0 { // it stays a log of 100
					if err := os.WriteFile(desks[0].logFile(), few, 0o644); err != nil {
						b.Fatal(err)
					}
				}
				for i, s := range sessions {
					begin := time.Now()
					if _, err := s.Round(context.Background(), RoundOptions{}); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(begin))
				}
			}
			var sum [2]time.Duration
			for i := range took {
				for _, d := range took[i] {
					sum[i] += d
				}
				slices.Sort(took[i])
			}
			less, many := took[0][len(took[0])/2], took[1][len(took[1])/2]
			b.ReportMetric(float64(less.Nanoseconds()), "few-ns")
			b.ReportMetric(float64(many.Nanoseconds()), "many-ns")
			b.ReportMetric(float64(many)/float64(less), "ratio")
			b.ReportMetric(float64(sum[1])/float64(sum[0]), "mean-ratio")
		})
	}
}

// BenchmarkSession is what the log costs above a bare store.
func BenchmarkSession(b *testing.B) {
	for _, items := range []int{12, 600} {
		marks := []Status{Completed, Pending}
		run := func(name string, f func(d *desk, s *Session, i int) error) {
			b.Run(fmt.Sprintf("%s/%d", name, items), func(b *testing.B) {
				d := newDesk(b, "")
				if err := os.WriteFile(d.path, benchPlan(items), 0o644); err != nil {
					b.Fatal(err)
				}
				s := d.as("a", "1")
				s.by.Settings = set("max-items", "1000")
				i := 0
				for b.Loop() {
					i++
					if err := f(d, s, i); err != nil {
						b.Fatal(err)
					}
				}
				if info, err := os.Stat(d.logFile()); err == nil {
					b.ReportMetric(float64(info.Size()), "log-B")
				}
			})
		}
		op := func(p *Plan, by Caller, i int) (*Plan, error) {
			c, err := p.SetStatus(by, "Write the tests of step 2", marks[i%2])
			return c.Plan, err
		}
		run("Store", func(d *desk, s *Session, i int) error {
			_, err := s.store.Update(context.Background(), func(p *Plan) (*Plan, error) { return op(p, s.by, i) })
			return err
		})
		run("Do", func(d *desk, s *Session, i int) error {
			_, err := s.Do(context.Background(), "done", nil, func(p *Plan, by Caller) (*Plan, error) { return op(p, by, i) })
			return err
		})
		run("Update", func(d *desk, s *Session, i int) error {
			p, err := Parse(benchPlan(items))
			if err != nil {
				return err
			}
			var l List
			for _, n := range p.nodes {
				l.Items = append(l.Items, ListItem{Content: n.content, Status: n.status})
			}
			l.Items[2].Status = marks[i%2]
			_, err = s.Update(context.Background(), l, UpdateOptions{})
			return err
		})
		run("Round", func(d *desk, s *Session, i int) error {
			_, err := s.Round(context.Background(), RoundOptions{})
			return err
		})
	}
}
