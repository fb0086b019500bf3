// Test of a sentence of the API for people: sentences for programs name fields, tools and routes.

/** A field or a tool, such as "max_price", or a route, such as "GET /v1/domains". */
const ofPrograms = /\b[a-z][a-z0-9]*_[a-z0-9_]+\b|\b(?:GET|POST|PATCH|PUT|DELETE) \/|\/v1\//
/** A field whose name is one word in quotes. */
const quoted = /"[a-z]+(?:\.[a-z]+)*"/

/** A sentence, which may quote a name that the user has typed. */
export function isSentenceForPeople(sentence: string): boolean {
  return !ofPrograms.test(sentence)
}

export function isHintForPeople(hint: string): boolean {
  return isSentenceForPeople(hint) && !quoted.test(hint) && !hint.includes('Retry-After')
}
