package mdplan

func (p *Plan) Check(over Settings) []Problem { return p.problems }
