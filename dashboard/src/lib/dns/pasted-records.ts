// Records that were pasted, one a line as in a zone file (RFC 1035 5.1), as a request has them; and
// the lines that a refusal is about.
type Pasted = { line: number; host: string; type: string; ttl?: number; value: string }
type Read = {
  records: readonly Pasted[]
  /** Numbers of lines that are no records. */
  unread: readonly number[]
}

const record = /^(\S+)\s+(?:(\d+)\s+)?(?:IN\s+)?(?:(\d+)\s+)?([a-z][a-z0-9]*)\s+(.+)$/i

export function readPasted(text: string, domain: string): Read {
  const records: Pasted[] = []
  const unread: number[] = []
  let last = '@'
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:;|$)/.test(whole)) continue
    const [, name = '', before, after, type = '', value = ''] =
      record.exec(/^\s/.test(whole) ? last + whole : whole) ?? []
    if (name === '') unread.push(at + 1)
    else {
      last = name
      const ttl = before ?? after
      const host = relativeHost(name, domain)
      const place = { line: at + 1, host, type: type.toUpperCase() }
      records.push({ ...place, ...(ttl && { ttl: Number(ttl) }), value: value.trim() })
    }
  }
  return { records, unread }
}

/** Files name hosts in full, with a final dot. */
function relativeHost(name: string, domain: string): string {
  const lower = name.toLowerCase()
  if (lower === `${domain}.`) return '@'
  return lower.endsWith(`.${domain}.`) ? name.slice(0, -domain.length - 2) : name
}

export type PasteMode = 'add' | 'sets'
type Value = Omit<Pasted, 'line'>
type GivenSet = { host: string; type: string; ttl?: number; values: string[] }
type Body = { add: Value[] } | { sets: GivenSet[] }

/** `lines`: the line of each path in the body. */
export function bodyOf(
  records: readonly Pasted[],
  mode: PasteMode,
): { body: Body; lines: ReadonlyMap<string, number> } {
  const lines = new Map<string, number>()
  if (mode === 'add') {
    const add = records.map(({ line, ...value }, at) => {
      lines.set(`add.${at}`, line)
      return value
    })
    return { body: { add }, lines }
  }
  const groups = Map.groupBy(records, ({ host, type }) => `${host.toLowerCase()} ${type}`)
  const sets = [...groups.values()].flatMap((group, at) => {
    const [first] = group
    if (!first) return []
    lines.set(`sets.${at}`, first.line)
    for (const [index, { line }] of group.entries()) lines.set(`sets.${at}.values.${index}`, line)
    const { line: _line, value: _value, ...place } = first
    return { ...place, values: group.map(({ value }) => value) }
  })
  return { body: { sets }, lines }
}

type Problem = { line: number; problem: string }

/** The refusals of a body by line; each path of the answer stands for one. */
export function problemsByLine(
  fields: Readonly<Record<string, string>>,
  lines: ReadonlyMap<string, number>,
): Problem[] {
  const found = Object.entries(fields).flatMap(([path, problem]) => {
    const [value = ''] = /^sets\.\d+\.values\.\d+/.exec(path) ?? []
    const [item = ''] = /^(?:sets|add)\.\d+/.exec(path) ?? []
    const line = lines.get(value) ?? lines.get(item)
    return line === undefined ? [] : [{ line, problem }]
  })
  return found.toSorted((one, other) => one.line - other.line)
}
