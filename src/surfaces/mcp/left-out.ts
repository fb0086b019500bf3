// Members of MCP requests that a client leaves unset by null, as serializers of many languages do.
// The protocol's schemas have optional members and no nullable ones, so the SDK would refuse them.

/** The members of a message are not nested deeper, except those of a tool's arguments. */
const deepest = 16

/**
 * A body, or a batch, whose messages have no null among their parameters. The arguments of a tool
 * stay as they are, because null may remove a value there, and the operation itself decides.
 */
export function withoutUnset(body: unknown): unknown {
  return Array.isArray(body) ? body.map(messageWithoutNulls) : messageWithoutNulls(body)
}

function messageWithoutNulls(message: unknown): unknown {
  if (!isObject(message) || !('params' in message)) return message
  const { params, ...rest } = message
  if (params === null) return rest
  if (!isObject(params)) return message
  const { arguments: args, ...others } = params
  if (message.method !== 'tools/call') return { ...rest, params: cleaned(params, 0) }
  const kept = args === null || args === undefined ? {} : { arguments: args }
  return { ...rest, params: { ...Object(cleaned(others, 0)), ...kept } }
}

function cleaned(value: unknown, depth: number): unknown {
  if (depth === deepest) return value
  if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, cleaned(member, depth + 1)]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
