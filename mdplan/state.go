package mdplan

import (
	"maps"
	"slices"
)

// state is what the log knows of an author and session.
type state struct {
	base    *Base           // of the last list, nil if there is none or the context was cut since
	own     map[string]bool // own items, by content
	earlier map[string]bool // those of earlier sessions too
	named   map[string]bool // items that lists left out, and that an answer named
}

// state reads the newest list record of each session of the author: each has
// all that is still needed of those before.
func (j *journal) state(who Author, mirrored bool) state {
	st := state{own: map[string]bool{}, earlier: map[string]bool{}, named: map[string]bool{}}
	_, cut := j.h.last(kindCut, who, nil)
	seen := map[string]bool{}
	based := false
	for i := len(j.h.records) - 1; i >= 0; i-- {
		r := &j.h.records[i]
		if r.Kind != kindList || r.By != who.Name || seen[r.Session] && (r.Session != who.Session || based) {
			continue
		}
		if !seen[r.Session] {
			for _, key := range j.h.full(i).Own {
				st.earlier[key] = true
				if r.Session == who.Session {
					st.own[key] = true
				}
			}
			if r.Session == who.Session && i > cut {
				for _, key := range r.Named {
					st.named[key] = true
				}
			}
			seen[r.Session] = true
		}
		if r.Session == who.Session && r.Mirrored == mirrored && !based {
			based = true
			if i > cut {
				st.base = j.h.full(i).Base
			}
		}
	}
	return st
}

// labels returns the active forms that the lists gave, the newest of each item.
func (j *journal) labels() map[string]string {
	for i := len(j.h.records) - 1; i >= 0; i-- {
		if j.h.records[i].Kind == kindList {
			return j.h.full(i).Labels
		}
	}
	return nil
}

// labelled returns the labels once a list has given others, of the items that
// the plan still has.
func (j *journal) labelled(p *Plan, more map[string]string) map[string]string {
	labels := map[string]string{}
	has := p.keys()
	for _, from := range []map[string]string{j.labels(), more} {
		for content, label := range from {
			if key := pairKey(content); label == "" {
				delete(labels, key)
			} else if has[key] {
				labels[key] = label
			}
		}
	}
	return labels
}

// held returns who started the items in progress, by content.
func (j *journal) held() map[string]Author { return j.h.carried(len(j.h.revs) - 1).Held }

// caller returns the session's author with what the log knows of others.
func (s *Session) caller(j *journal, p *Plan, st state) Caller {
	by := s.by
	by.Held = j.heldIn(p)
	if by.IsHuman() {
		by.Held = j.held() // what nobody started by name is theirs, in whatever session
	}
	by.Own = st.own
	return by
}

// heldIn returns who has the items in progress of a plan, by content. What was
// in progress before the log began is whose the file was then, mostly a
// human's: it counts for no agent that asks. Without a log nobody knows.
func (j *journal) heldIn(p *Plan) map[string]Author {
	held := j.held()
	if j.fail != nil {
		return held
	}
	var finder Author
	for _, n := range p.nodes {
		if n.status != InProgress {
			continue
		}
		if key := pairKey(n.content); held[key] == (Author{}) {
			if finder == (Author{}) {
				finder = j.h.finder()
			}
			held[key] = finder
		}
	}
	return held
}

// finder returns whose the file was when the log began.
func (h *history) finder() Author {
	for k := len(h.revs) - 1; k >= 0; k-- {
		if h.records[h.revs[k]].Via == viaFound {
			return h.by(k)
		}
	}
	return Author{Name: HumanName}
}

// listRecord is the record of what an author has brought to a plan.
func (s *Session) listRecord(j *journal, p *Plan, st state, labels map[string]string) record {
	r := record{Kind: kindList, Rev: p.rev, Base: st.base, Labels: j.labelled(p, labels)}
	has := p.keys()
	for _, of := range []struct {
		keys map[string]bool
		to   *[]string
	}{{st.own, &r.Own}, {st.named, &r.Named}} {
		for _, key := range slices.Sorted(maps.Keys(of.keys)) {
			if has[key] {
				*of.to = append(*of.to, key)
			}
		}
	}
	return r
}

func (s *Session) records(records ...record) []record {
	for i := range records {
		records[i].By, records[i].Session = s.by.Name, s.by.Session
	}
	return records
}

// showed tells the records of a plan that was shown, with news only those of
// one that came with the news.
func showed(news bool) func(*record) bool {
	return func(r *record) bool { return r.Via != viaStart && (r.News || !news) }
}

// toldOf is the record of a plan that its author has seen.
func toldOf(p *Plan) record { return record{Kind: kindTold, Rev: p.rev} }

// toldOnce reports whether an author's news has begun: with their first command
// or round, since nobody wants to be told what was before.
func (j *journal) toldOnce(who Author) bool {
	told, _ := j.h.last(kindTold, who, func(r *record) bool { return r.News })
	return told != nil
}

// keys has the texts of all items.
func (p *Plan) keys() map[string]bool {
	keys := make(map[string]bool, len(p.nodes))
	for _, n := range p.nodes {
		keys[pairKey(n.content)] = true
	}
	return keys
}
