// Splits the generated types into one file for each tag of the document, so that a change of one
// operation changes the file of its tag. types.gen.ts exports all of them.

/**
 * The files by their paths below the folder of the client. A type that several tags use, or none,
 * is in `shared`.
 */
export function typesByTag(text, document) {
  const [header = ''] = text.split(/^(?=\/\*\*|export type )/m, 1)
  const blocks = blocksOf(text.slice(header.length))
  const tags = tagsOf(blocks, document)
  const files = Map.groupBy(blocks.keys(), (name) => {
    const [tag, ...more] = tags.get(name) ?? []
    return tag === undefined || more.length > 0 ? 'shared' : tag
  })
  const fileOf = new Map([...files].flatMap(([file, names]) => names.map((name) => [name, file])))
  const split = [...files].map(([file, names]) => {
    const imported = new Set(names.flatMap((name) => blocks.get(name).uses))
    const shared = [...imported].filter((name) => fileOf.get(name) !== file).sort()
    const misplaced = shared.filter((name) => fileOf.get(name) !== 'shared')
    if (misplaced.length > 0) throw new Error(`${file} uses ${misplaced} of other tags`)
    const lines =
      shared.length === 0 ? '' : `import type { ${shared.join(', ')} } from './shared.gen.ts';\n\n`
    return [
      `types/${file}.gen.ts`,
      header + lines + names.map((name) => blocks.get(name).text).join(''),
    ]
  })
  const all = [...files.keys()]
    .sort()
    .map((file) => `export type * from './types/${file}.gen.ts';\n`)
  return { ...Object.fromEntries(split), 'types.gen.ts': header + all.join('') }
}

/** Each declaration by its name, with the other ones that it names. */
function blocksOf(text) {
  const parts = text.split(/^(?=\/\*\*|export type )/m).reduce(withComments, [])
  const blocks = new Map()
  for (const part of parts) {
    const name = /^export type (\w+)/m.exec(part)?.[1]
    if (name === undefined) throw new Error(`not a type: ${part.slice(0, 80)}`)
    blocks.set(name, { text: part, uses: [] })
  }
  for (const [name, block] of blocks) {
    const code = block.text.replaceAll(/\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'/g, '')
    const words = new Set(code.match(/\b[A-Z]\w*/g))
    block.uses = [...words].filter((word) => word !== name && blocks.has(word))
  }
  return blocks
}

/** A comment and the declaration that follows it are one part. */
function withComments(parts, part) {
  const isOf = parts.at(-1)?.startsWith('/**') && !parts.at(-1).includes('\nexport type ')
  return isOf ? [...parts.slice(0, -1), parts.at(-1) + part] : [...parts, part]
}

/** The tags whose operations use a type, directly or by another type. */
function tagsOf(blocks, { paths }) {
  const tags = new Map()
  const visit = (name, tag) => {
    const found = tags.get(name) ?? new Set()
    if (found.has(tag)) return
    tags.set(name, found.add(tag))
    for (const used of blocks.get(name)?.uses ?? []) visit(used, tag)
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const { operationId, tags: [tag = 'shared'] = [] } of operations) {
    const pascal = operationId.replaceAll(/(?:^|_)(\w)/g, (_, first) => first.toUpperCase())
    const roots = ['Data', 'Errors', 'Responses'].map((end) => pascal + end)
    if (!blocks.has(roots[0])) throw new Error(`${operationId} has no ${roots[0]}`)
    const own = [...blocks].filter(([, { text }]) =>
      roots.some((root) => text.includes(` = ${root}[keyof ${root}]`)),
    )
    for (const root of [...roots.filter((root) => blocks.has(root)), ...own.map(([name]) => name)])
      visit(root, slugOf(tag))
  }
  return tags
}

const slugOf = (tag) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
