// Messages of invalid fields for people, by the type of the messages that the API gives to
// programs.
import { isHintForPeople } from './for-people.ts'

type Problem = { msg: string; type: string }

export const emailProblem = 'Enter an email address, such as ada@example.net.'
const empty = 'Please fill this in.'
const unclear = 'Check this: it cannot be used as it is.'

/** The messages by type. `limit` is the number in the API's message, or empty if it has none. */
const byType: Readonly<Record<string, (limit: string) => string>> = {
  missing: () => empty,
  string_too_short: (limit) =>
    limit === '1' ? empty : `This is too short: make it at least ${limit} long.`,
  string_too_long: (limit) => `This is too long: make it at most ${limit} long.`,
  too_short: (limit) => (limit === '1' ? empty : `Enter at least ${limit}.`),
  too_long: (limit) => `Enter at most ${limit}.`,
  greater_than_equal: (limit) => `Enter ${limit} or more.`,
  less_than_equal: (limit) => `Enter ${limit} or less.`,
  greater_than: (limit) => `Enter more than ${limit}.`,
  decimal_parsing: () => 'Enter an amount, such as 25.00.',
  int_type: () => 'Enter a whole number.',
  int_parsing: () => 'Enter a whole number.',
  float_type: () => 'Enter a number.',
  float_parsing: () => 'Enter a number.',
  string_type: () => unclear,
  bool_type: () => 'Choose yes or no.',
  bool_parsing: () => 'Choose yes or no.',
  list_type: () => unclear,
  dict_type: () => unclear,
  type_error: () => unclear,
  json_invalid: () => unclear,
  literal_error: () => 'Choose one of the options.',
  enum: () => 'Choose one of the options.',
  uniqueItems: () => 'Enter each only once.',
  extra_forbidden: () => 'This cannot be set here.',
  string_control_character: () => 'Remove invisible signs, such as line breaks and tabs.',
  string_unicode: () => 'Remove invisible signs, such as line breaks and tabs.',
}

export function fieldProblem({ msg, type }: Problem): string {
  if (/must not be empty/.test(msg)) return empty
  if (/at least 3 char/.test(msg)) return 'Enter an email address.'
  if (/not a valid e-?mail/.test(msg)) return emailProblem
  if (/visible character/.test(msg)) return 'Enter at least one letter or digit.'
  if (/field is needed/.test(msg)) return 'Change something first.'
  const known = byType[type]
  if (known) return known(/-?\d+/.exec(msg)?.[0] ?? '')
  if (ofRecords.has(type)) return recordProblem(msg)
  const sentence = plainWords(msg)
  return isHintForPeople(sentence) ? sentence : unclear
}

/**
 * Types of messages about DNS records. They quote the typed text, which may look like the name of a
 * field.
 */
const ofRecords: ReadonlySet<string> = new Set(
  ['dns_host', 'dns_type', 'dns_value', 'dns_rule'].concat('dns_zone_file'),
)

function recordProblem(msg: string): string {
  const sentence = msg
    .replace(/^Input (?=["A-Z])/, '')
    .replaceAll(/ \(RFC [^)]*\)/g, '')
    .replace(' with update_nameservers', '')
    .replace(/delete (that set|the others) in the same request/, 'delete $1 first')
    .replace('set it in the same request', 'set it first')
    .replace(/\bthat set\b/, 'that')
    .replace(/\boctets\b/g, 'bytes')
  return sentence.startsWith('Input ') ? plainWords(sentence) : withFullStop(sentence)
}

/** The message without the terms of a program and without its pointers to documentation. */
function plainWords(msg: string): string {
  const sentence = msg
    .replace(/; (?:see|their names are at) .*$/, '')
    .replace(/^(?:String|Input|Value|List) should be /, 'Enter ')
    .replace(/^(?:String|Input|Value|List) /, 'This ')
    .replace(/^must /, 'This must ')
    // The text in quotes is what the user has typed.
    .replace(/^"([^"]*)"/, '“$1”')
    .replace(/(such as|or) "([^"]*)"/g, '$1 $2')
    .replace(/\bof ASCII characters\b/, 'of plain letters, digits and hyphens')
    .replace(/\bcharacters\b/g, 'signs')
  if (/^Enter .*pattern '/.test(sentence) || /match pattern/.test(sentence)) return unclear
  return withFullStop(sentence)
}

function withFullStop(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
