package mdplan

import (
	"bytes"
	"fmt"
	"sync"
)

// A long file is read in parts, side by side, and after a change only those
// that it touches are read again. A part begins at a seam: the line of a list
// item that has no indent. Such a line ends whatever stands open above it, but
// for a fence and an HTML block, so Markdown reads on there as at the start of
// a file. Only the list above may go on.

// partSize is the least length of a part, in bytes: some 400 items, which take
// a millisecond. A plan of the length that an agent should have is one part.
const partSize = 16 << 10

// part is a part of a file as it was read: the document that it would be by
// itself, at the place in the file that it had then.
type part struct {
	document
	from    int
	lists   int  // how many it has
	open    bool // it ends in a fence or an HTML block, which might go on
	inList  bool // it ends in a list, which might go on
	tooDeep bool
}

// stretch is where a part stands in a file.
type stretch struct {
	from, to int
	part     *part // nil until it is read
}

// readBlocks reads the file from base on.
func readBlocks(src []byte, base, size int) (*document, error) {
	text := plainEndings(src)
	return readStretches(text, base, cut(nil, text, base, len(text), size))
}

// reread reads the file that d's has become by edits.
func (d *document) reread(src []byte, base, size int, edits []edit) (*document, error) {
	edits = inOrder(edits)
	if len(d.parts) == 0 || base != d.base || edits[0].start < base {
		return readBlocks(src, base, size)
	}
	text := plainEndings(src)
	var all []stretch
	changed := -1 // where the bytes begin that must be read
	moved := 0    // how far the edits before a part move it
	for _, s := range d.parts {
		for len(edits) > 0 && edits[0].end < s.from {
			moved += len(edits[0].text) - (edits[0].end - edits[0].start)
			edits = edits[1:]
		}
		from := s.from + moved
		if len(edits) > 0 && edits[0].start <= s.to {
			if changed < 0 {
				changed = from
				if last := len(all) - 1; last >= 0 && !isSeam(text[from:]) {
					changed, all = all[last].from, all[:last]
				}
			}
			continue
		}
		if changed >= 0 {
			all = cut(all, text, changed, from, size)
			changed = -1
		}
		all = append(all, stretch{from, s.to + moved, s.part})
	}
	if changed >= 0 {
		all = cut(all, text, changed, len(text), size)
	}
	return readStretches(text, base, all)
}

// cut appends the stretches between two positions, cut at seams.
func cut(all []stretch, text []byte, from, to, size int) []stretch {
	for {
		at := seam(text, from+size, to)
		all = append(all, stretch{from: from, to: at})
		if at == to {
			return all
		}
		from = at
	}
}

// seam returns the first seam from a position on, or to.
func seam(text []byte, from, to int) int {
	for at := from; at < to; {
		i := bytes.IndexByte(text[at:to], '\n')
		if i < 0 {
			break
		}
		if at += i + 1; isSeam(text[at:to]) {
			return at
		}
	}
	return to
}

func isSeam(text []byte) bool {
	return len(text) >= 3 && (text[0] == '-' || text[0] == '*' || text[0] == '+') && text[1] == ' ' && text[2] == '['
}

// readStretches reads the parts that were not read before, and joins all.
func readStretches(text []byte, base int, all []stretch) (*document, error) {
	sideBySide(len(all), func(i int) {
		if s := &all[i]; s.part == nil {
			s.part = readPart(text, base, s.from, s.to)
		}
	})
	for i, s := range all {
		if s.part.tooDeep {
			return nil, &ParseError{Code: "depth", Err: ErrTooDeep,
				Msg: fmt.Sprintf("lists or quotes are nested more than %d levels deep; move the inner ones out", MaxDepth)}
		}
		if i < len(all)-1 && s.part.open || i > 0 && !s.part.begins() {
			return readStretches(text, base, []stretch{{from: base, to: len(text)}})
		}
	}
	if len(all) == 1 {
		return &all[0].part.document, nil
	}
	return join(text, base, all), nil
}

// sideBySide calls do for each number below n, in goroutines if there are several,
// and waits for all.
func sideBySide(n int, do func(i int)) {
	if n == 1 {
		do(0)
		return
	}
	var wait sync.WaitGroup
	panics := make(chan any, n)
	for i := range n {
		wait.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					panics <- r
				}
			}()
			do(i)
		})
	}
	wait.Wait()
	select {
	case r := <-panics:
		panic(r) // here the caller can recover from it
	default:
	}
}

// begins reports whether a part begins with the list item of a seam.
func (p *part) begins() bool { return len(p.bullets) > 0 && p.bullets[0].start == p.from }

// join makes one document of the parts of a file.
func join(text []byte, base int, all []stretch) *document {
	d := &document{text: text, base: base, parts: all}
	var bullets, events, lines int
	for _, s := range all {
		bullets += len(s.part.bullets)
		events += len(s.part.events)
		lines += len(s.part.lines)
	}
	d.bullets = make([]bullet, 0, bullets)
	d.events = make([]event, 0, events)
	d.lines = make([]line, 0, lines)
	lists := 0
	for i, s := range all {
		first := lists // the part's first list
		if i > 0 && all[i-1].part.inList {
			if last, next := d.lastTop(), &s.part.bullets[0]; next.marker == last.marker && next.ordered == last.ordered {
				first = last.list
			}
		}
		d.add(s.part, s.from-s.part.from, first, lists)
		lists += s.part.lists
	}
	return d
}

// lastTop returns the last list item that no other holds.
func (d *document) lastTop() *bullet {
	for i := len(d.bullets) - 1; ; i-- {
		if d.bullets[i].parent < 0 {
			return &d.bullets[i]
		}
	}
}

// add appends a part that stands so many bytes further down than it was read.
// Its first list gets the number first, the others are counted on from lists.
func (d *document) add(p *part, moved, first, lists int) {
	bullets, events, lines := len(d.bullets), len(d.events), len(d.lines)
	for _, b := range p.bullets {
		b.start += moved
		b.end += moved
		if b.first != (span{}) {
			b.first = b.first.moved(moved)
		}
		b.event += events
		b.eventEnd += events
		if b.parent >= 0 {
			b.parent += bullets
		}
		if b.list == 0 {
			b.list = first
		} else {
			b.list += lists
		}
		d.bullets = append(d.bullets, b)
	}
	for _, e := range p.events {
		if e.bullet >= 0 {
			e.bullet += int32(bullets)
		}
		e.lines.from += int32(lines)
		e.lines.to += int32(lines)
		d.events = append(d.events, e)
	}
	for _, l := range p.lines {
		l.span = l.span.moved(moved)
		d.lines = append(d.lines, l)
	}
	for _, h := range p.headings {
		h.start += moved
		d.headings = append(d.headings, h)
	}
	for _, f := range p.fences {
		f.start += moved
		f.end += moved
		d.fences = append(d.fences, f)
	}
	d.comments = appendMoved(d.comments, p.comments, moved)
	d.code = appendMoved(d.code, p.code, moved)
	d.html = appendMoved(d.html, p.html, moved)
	d.quotes = appendMoved(d.quotes, p.quotes, moved)
}

func (s span) moved(by int) span { return span{s.start + by, s.end + by} }

func appendMoved(all, more []span, by int) []span {
	for _, s := range more {
		all = append(all, s.moved(by))
	}
	return all
}
