// Sentences of the API that people can read: those for programs name fields, tools and routes.

/** A field or a tool ("max_price", also as domains:purchase), or a route ("GET /v1/domains"). */
const ofPrograms = /\b[a-z][a-z0-9]*_[a-z0-9_]+\b|\b(?:GET|POST|PATCH|PUT|DELETE) \/|\/v1\//
/** A field of one word, in quotes. */
const quoted = /"[a-z]+(?:\.[a-z]+)*"/

/** A sentence, which may quote a name that the user has typed. */
export function isSentenceForPeople(sentence: string): boolean {
  return !ofPrograms.test(sentence)
}

export function isHintForPeople(hint: string): boolean {
  return isSentenceForPeople(hint) && !quoted.test(hint) && !hint.includes('Retry-After')
}
