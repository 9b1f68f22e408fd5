package cli

// nearest returns the word that a mistyped one most likely stands for, "" if
// none is near.
func nearest(word string, words []string) string {
	best, least := "", len(word)/3+2 // one slip in a short word, more in a long one
	for _, w := range words {
		if d := distance(word, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance counts the characters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(diagonal+cost, above+1, row[j]+1)
			diagonal = above
		}
	}
	return row[len(b)]
}
