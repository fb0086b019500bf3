// Schemas of the OpenAPI document. Those with a title stand once under components, and are pointed
// at.
import { nextActionTypes } from '../../../kit/fault.ts'
import { plain, type Schema } from '../../descriptions/operation-docs.ts'
import { most_details } from '../../pipeline/validation-errors.ts'

/** Collects components while a document is written. */
export class Components {
  readonly #schemas = new Map<string, Schema>()

  /**
   * The schema as it stands in the document: each part with a title becomes a component. Throws
   * when two that differ have one title, which is a mistake of the catalog.
   */
  place(schema: object): Schema {
    return this.#placed(plain(schema))
  }

  /** All components, by name. */
  schemas(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #placed(schema: Schema): Schema {
    const { title, default: preset, ...rest } = schema
    const inner = this.#inside(rest)
    const beside = preset === undefined ? {} : { default: preset }
    if (title === undefined) return { ...inner, ...beside }
    if (!/^[A-Za-z0-9]+$/.test(title)) throw new Error(`"${title}" is not a name for a schema`)
    const known = this.#schemas.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(inner))
      throw new Error(`Two different schemas are titled "${title}"`)
    this.#schemas.set(title, inner)
    return { $ref: `#/components/schemas/${title}`, ...beside }
  }

  #inside(schema: Schema): Schema {
    const { items, anyOf, properties, additionalProperties } = schema
    const placed = { ...schema }
    if (items) placed.items = this.#placed(items)
    if (anyOf) placed.anyOf = anyOf.map((one) => this.#placed(one))
    if (typeof additionalProperties === 'object')
      placed.additionalProperties = this.#placed(additionalProperties)
    if (properties)
      placed.properties = Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, this.#placed(one)]),
      )
    return placed
  }
}

const text = (description: string): Schema => ({ type: 'string', description })

/** The schema of every refusal but 422 (RFC 9457). */
export const problem: Schema = {
  title: 'Problem',
  type: 'object',
  description: 'A refusal (RFC 9457). A code with facts has a schema of its own.',
  properties: {
    type: { ...text('The page that explains the code.'), format: 'uri' },
    title: text('The kind of refusal.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('What went wrong, in a sentence.'),
    code: text('What went wrong, as a word that does not change.'),
    retryable: { type: 'boolean', description: 'Whether the same request may work later.' },
    next_action: {
      type: 'object',
      description: 'The next step.',
      properties: {
        type: { type: 'string', enum: [...nextActionTypes] },
        hint: text('The same in words.'),
        url: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }] },
      },
      required: ['type', 'hint', 'url'],
    },
    request_id: text('Identifies this request to support.'),
    retry_after_s: {
      type: 'integer',
      minimum: 1,
      description: 'The seconds of the Retry-After header, where there is one.',
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'retryable', 'next_action', 'request_id'],
}

/** The schema of a 422, which has all problems of the request, or the first hundred of them. */
export const validationError: Schema = {
  title: 'HTTPValidationError',
  type: 'object',
  properties: {
    detail: {
      type: 'array',
      maxItems: most_details,
      items: {
        title: 'ValidationError',
        type: 'object',
        properties: {
          loc: {
            type: 'array',
            description: 'The place (body, query, path or header), then the way to the field.',
            items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          },
          msg: text('What is wrong with it.'),
          type: text('The same as a word that does not change.'),
        },
        required: ['loc', 'msg', 'type'],
      },
    },
  },
  required: ['detail'],
}
