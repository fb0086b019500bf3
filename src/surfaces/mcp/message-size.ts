// Bounds the size of a message before the SDK validates it: each member that has another shape
// would be a line of the error, and a body of 60 kB has 30,000 of them. The arguments of a tool
// have limits of their own, those of its operation.

/** Clients send some thirty members: names, icons, capabilities, arguments of a prompt. */
const most_members = 256

/** Why a message is too large, or undefined. */
export function sizeProblem(message: unknown): string | undefined {
  if (membersOf(message, isToolCall(message)) <= most_members) return undefined
  return `A message has at most ${most_members} members, apart from the arguments of a tool`
}

function isToolCall(message: unknown): boolean {
  return Object(message).method === 'tools/call'
}

/**
 * The number of members of a value and of all values in it. The parser of bodies limits the depth.
 */
function membersOf(value: unknown, isCall = false): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const [name, one] of Object.entries(value)) {
    const ofTool = isCall && name === 'params' ? withoutArguments(one) : one
    count += 1 + membersOf(ofTool)
    if (count > most_members) return count
  }
  return count
}

function withoutArguments(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params
  const { arguments: given, ...rest }: { arguments?: unknown } = params
  // The error of the SDK about a list is only that it is no object.
  return { ...rest, arguments: typeof given === 'object' ? null : given }
}
