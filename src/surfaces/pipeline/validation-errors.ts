// The lines of a 422 body (HTTPValidationError), from the errors of Ajv.
import type { ErrorObject } from 'ajv/dist/2020.js'
import { problemTypeOfPattern, wordsOfPattern } from '../../kit/schema.ts'

/** One line of a 422 body. */
export type Detail = { loc: (string | number)[]; msg: string; type: string }

/** The most lines of one 422 body. A request with more problems gets the first of them. */
export const most_details = 100

/** The line of a field, or of a member of an object, that does not exist. */
export function extra(loc: (string | number)[]): Detail {
  return { loc, msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }
}

/**
 * The 422 line of an error of Ajv, or undefined for a wrapper that only repeats the error of its
 * branch.
 */
export function detailOf(
  error: ErrorObject,
  rootOf: (field: string) => string,
): Detail | undefined {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^[0-9]+$/.test(part) ? Number(part) : part))
  if (error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null'))
    return
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties') path.push(String(error.params.additionalProperty))
  const message = messageOf(error)
  const showsExample = error.keyword === 'type' || error.keyword === 'format'
  const msg = showsExample ? `${message.msg}${exampleOf(error)}` : message.msg
  return { loc: [rootOf(String(path[0] ?? '')), ...path], ...message, msg }
}

/** The words of an example, as in ', such as "12.00"', where the schema or its format has one. */
function exampleOf({ parentSchema = {} }: ErrorObject): string {
  const { examples, format } = parentSchema
  const own = Array.isArray(examples) ? examples[0] : undefined
  const example = own ?? (format === 'date-time' ? '2027-05-01T10:00:00Z' : undefined)
  return example === undefined ? '' : `, such as ${JSON.stringify(example)}`
}

const typeMessages: Record<string, { msg: string; type: string }> = {
  string: { msg: 'Input should be a valid string', type: 'string_type' },
  integer: { msg: 'Input should be a valid integer', type: 'int_type' },
  number: { msg: 'Input should be a valid number', type: 'float_type' },
  boolean: { msg: 'Input should be true or false', type: 'bool_type' },
  array: { msg: 'Input should be a valid list', type: 'list_type' },
  object: { msg: 'Input should be an object', type: 'dict_type' },
}

function patternMessage(pattern: string): string {
  const words = wordsOfPattern(pattern)
  return words === undefined
    ? `String should match pattern '${pattern}'`
    : `Input should be ${words}`
}

function messageOf(error: ErrorObject): { msg: string; type: string } {
  const limit = String(error.params.limit ?? '')
  switch (error.keyword) {
    case 'required':
      return { msg: 'Field required', type: 'missing' }
    case 'additionalProperties':
      return { msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }
    case 'type':
      return typeMessages[String(error.params.type)] ?? { msg: 'Wrong type', type: 'type_error' }
    case 'minLength':
      return limit === '1'
        ? { msg: 'String must not be empty', type: 'string_too_short' }
        : { msg: `String should have at least ${limit} characters`, type: 'string_too_short' }
    case 'maxLength':
      return { msg: `String should have at most ${limit} characters`, type: 'string_too_long' }
    case 'pattern':
      return {
        msg: patternMessage(error.params.pattern),
        type: problemTypeOfPattern(error.params.pattern),
      }
    case 'minimum':
      return { msg: `Input should be at least ${limit}`, type: 'greater_than_equal' }
    case 'maximum':
      return { msg: `Input should be at most ${limit}`, type: 'less_than_equal' }
    case 'exclusiveMinimum':
      return { msg: `Input should be greater than ${limit}`, type: 'greater_than' }
    case 'minItems':
      return limit === '1'
        ? { msg: 'List must not be empty', type: 'too_short' }
        : { msg: `List should have at least ${limit} items`, type: 'too_short' }
    case 'maxItems':
      return { msg: `List should have at most ${limit} items`, type: 'too_long' }
    case 'minProperties':
      return { msg: `At least ${limit} field is needed`, type: 'too_short' }
    case 'enum':
      return {
        msg: `Input should be one of ${error.params.allowedValues.join(', ')}`,
        type: 'literal_error',
      }
    default:
      return { msg: error.message ?? 'Invalid', type: error.keyword.replaceAll('-', '_') }
  }
}
