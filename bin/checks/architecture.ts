// Compares the table of layers in ARCHITECTURE.md with the layers that are enforced.
import { type Layer, layers, type Sideways, sideways } from './layers.ts'
import { type Complaint, isTest, type Tree } from './tree.ts'

const FILE = 'ARCHITECTURE.md'

type Row = { name: string; modules: string; mayImport: string }
type Declared = { layers: readonly Layer[]; sideways: readonly Sideways[] }

/**
 * One complaint for each difference: a layer and its number, its modules, and the edges between
 * them. The edges between capabilities are too many for a table.
 */
export function checkArchitecture(
  tree: Tree,
  declared: Declared = { layers, sideways },
): Complaint[] {
  const rows = rowsOf(tree.read(FILE))
  const names = declared.layers.map(({ name }, at) => `${at} ${name}`).reverse()
  const shown = rows.map(({ name }) => name)
  if (shown.join() !== names.join())
    return [`${FILE} has the layers ${shown.join(', ')}, and layers.ts ${names.join(', ')}`]
  return rows.flatMap((row, at) => {
    const layer = declared.layers.at(-1 - at)
    if (!layer) return []
    const edges = layer.name === 'capabilities' ? [] : edgesWithin(layer, declared.sideways)
    return [
      ...differences(row, quoted(row.modules), modulesOf(layer, declared.layers, tree)),
      ...differences(row, edgesIn(row.mayImport), edges),
    ]
  })
}

/** The rows of the one table whose first column is "layer". */
function rowsOf(text: string): Row[] {
  const [, table = ''] = /^\| layer \|.*\n\|[-|]+\|\n((?:\|.*\n)*)/m.exec(text) ?? []
  return table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', modules = '', mayImport = ''] = line.split('|').map((cell) => cell.trim())
      return { name, modules, mayImport }
    })
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
}

function edgesIn(cell: string): string[] {
  return [...cell.matchAll(/`[^`]+` -> `[^`]+`/g)].map(([edge]) => edge.replaceAll('`', ''))
}

function edgesWithin({ modules }: Layer, edges: readonly Sideways[]): string[] {
  const isWithin = (module: string) =>
    modules.includes(module) || modules.includes(`${module.split('/')[0]}/*`)
  return edges.filter(([from]) => isWithin(from)).map(([from, to]) => `${from} -> ${to}`)
}

/** The modules of a layer; "*" stands for all of src that is in no other. */
function modulesOf({ modules }: Layer, all: readonly Layer[], tree: Tree): string[] {
  if (!modules.includes('*')) return [...modules]
  const others = new Set(all.flatMap((layer) => layer.modules.map((one) => one.replace('/*', ''))))
  const inSrc = tree.files
    .filter((file) => file.startsWith('src/') && !isTest(file))
    .map((file) => file.split('/')[1] ?? '')
  return [...new Set(inSrc)].filter((module) => !others.has(module))
}

function differences({ name }: Row, shown: string[], wanted: string[]): Complaint[] {
  return [
    ...wanted.filter((one) => !shown.includes(one)).map((one) => `lacks ${one} in layer ${name}`),
    ...shown
      .filter((one) => !wanted.includes(one))
      .map((one) => `has ${one} in layer ${name}, and layers.ts does not`),
  ].map((words) => `${FILE} ${words}`)
}
