// The few kinds of fields that the contract's shapes are made of.
export type Schema = Record<string, unknown>
export const text = { type: 'string' }
export const integer = { type: 'integer' }
export const flag = { type: 'boolean' }
export const moment = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
}
export const money = { type: 'string', pattern: '^-?(0|[1-9]\\d*)\\.\\d\\d$' }
export const currency = { enum: ['USD', 'EUR'] }
export const orNull = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] })
export const list = (items: Schema) => ({ type: 'array', items })
export const words = (...enumerated: string[]) => ({ enum: enumerated })

/** All of these fields must exist, and others may exist beside them. */
export function fields(properties: Record<string, Schema>): Schema {
  return { type: 'object', required: Object.keys(properties), properties }
}
