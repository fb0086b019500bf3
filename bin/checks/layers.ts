// Layering: the layers of the tree as data, and a check that no import goes up, sideways or in a
// cycle.
import { posix } from 'node:path'
import { type Complaint, isTest, literal, type Piece, type Tree, walkFile } from './tree.ts'

export type Layer = { name: string; modules: readonly string[] }
export type Sideways = readonly [from: string, to: string]

/**
 * The layers, beginning with the lowest. A module is a folder or a file of src; `x/*` makes each
 * folder in x a separate module.
 */
export const layers: readonly Layer[] = [
  { name: 'kit', modules: ['kit'] },
  { name: 'adapters', modules: ['db', 'adapters/*', 'dns', 'epp'] },
  {
    name: 'core',
    modules: ['ledger', 'tasks', 'session-leases', 'rate-limits', 'reencryption', 'config'],
  },
  {
    name: 'app',
    modules: [
      ...['app.ts', 'principals.ts', 'origins.ts', 'replies', 'lists'],
      ...['errors', 'pages', 'pdf'],
    ],
  },
  { name: 'capabilities', modules: ['capabilities/*', 'oauth'] },
  { name: 'interface', modules: ['*'] },
]

/**
 * The declared edges between modules of one layer. Between capabilities only index.ts may be
 * imported.
 */
export const sideways: readonly Sideways[] = [
  ['adapters/registry', 'epp'],
  ['adapters/dns', 'dns'],
  ['adapters/push', 'adapters/outbound'],
  ['adapters/gateway', 'adapters/rates'],
  ['adapters/x402', 'adapters/gateway'],
  ['app.ts', 'replies'],
  ['lists', 'app.ts'],
  ['app.ts', 'principals.ts'],
  ['capabilities/document-signatures', 'capabilities/audit'],
  ['capabilities/domains', 'capabilities/document-signatures'],
  ['capabilities/domains', 'capabilities/invoices'],
  ['capabilities/domains', 'capabilities/pricing'],
  ['capabilities/domains', 'capabilities/contacts'],
  ['capabilities/domains', 'capabilities/account'],
  ['capabilities/domains', 'capabilities/limits'],
  ['capabilities/domains', 'capabilities/audit'],
  ['capabilities/domains', 'capabilities/approvals'],
  ['capabilities/approvals', 'capabilities/account'],
  ['capabilities/approvals', 'capabilities/audit'],
  ['capabilities/approvals', 'capabilities/events'],
  ['capabilities/approvals', 'capabilities/limits'],
  ['capabilities/approvals', 'capabilities/mail'],
  ['capabilities/domains', 'capabilities/mail'],
  ['capabilities/domains', 'capabilities/events'],
  ['capabilities/events', 'capabilities/account'],
  ['capabilities/events', 'capabilities/limits'],
  ['capabilities/audit', 'capabilities/limits'],
  ['capabilities/events', 'capabilities/audit'],
  ['capabilities/events', 'capabilities/mail'],
  ['capabilities/account', 'capabilities/mail'],
  ['capabilities/account-status', 'capabilities/account'],
  ['capabilities/account-status', 'capabilities/api-keys'],
  ['capabilities/account-status', 'capabilities/audit'],
  ['capabilities/account-status', 'capabilities/mail'],
  ['capabilities/account-status', 'capabilities/sign-in'],
  ['capabilities/account', 'capabilities/limits'],
  ['capabilities/api-keys', 'capabilities/account'],
  ['capabilities/api-keys', 'capabilities/limits'],
  ['capabilities/api-keys', 'capabilities/mail'],
  ['capabilities/contacts', 'capabilities/mail'],
  ['capabilities/health', 'capabilities/mail'],
  ['capabilities/health', 'capabilities/audit'],
  ['capabilities/contacts', 'capabilities/account'],
  ['capabilities/contacts', 'capabilities/approvals'],
  ['capabilities/contacts', 'capabilities/limits'],
  ['capabilities/contacts', 'capabilities/audit'],
  ['capabilities/pricing', 'capabilities/audit'],
  ['capabilities/operators', 'capabilities/api-keys'],
  ['capabilities/operators', 'capabilities/audit'],
  ['capabilities/operators', 'capabilities/mail'],
  ['capabilities/operators', 'capabilities/sign-in'],
  ['capabilities/sandbox', 'capabilities/audit'],
  ['capabilities/sandbox', 'capabilities/sign-in'],
  ['capabilities/top-ups', 'capabilities/account'],
  ['capabilities/top-ups', 'capabilities/audit'],
  ['capabilities/top-ups', 'capabilities/invoices'],
  ['capabilities/top-ups', 'capabilities/mail'],
  ['capabilities/invoices', 'capabilities/contacts'],
  ['capabilities/bookkeeping', 'capabilities/account'],
  ['capabilities/balance', 'capabilities/account'],
  ['capabilities/sign-in', 'capabilities/account'],
  ['capabilities/sign-in', 'capabilities/api-keys'],
  ['capabilities/sign-in', 'capabilities/audit'],
  ['capabilities/sign-in', 'capabilities/mail'],
  ['capabilities/sign-up', 'capabilities/account'],
  ['capabilities/sign-up', 'capabilities/api-keys'],
  ['capabilities/sign-up', 'capabilities/audit'],
  ['capabilities/sign-up', 'capabilities/mail'],
  ['capabilities/sign-up', 'capabilities/sign-in'],
  ['capabilities/sso', 'capabilities/account'],
  ['capabilities/sso', 'capabilities/audit'],
  ['capabilities/sso', 'capabilities/mail'],
  ['capabilities/sso', 'capabilities/sign-in'],
  ['capabilities/sso', 'capabilities/sign-up'],
  ['oauth', 'capabilities/sign-in'],
  ['oauth', 'capabilities/sign-up'],
  ['oauth', 'capabilities/sso'],
  ['oauth', 'capabilities/account'],
  ['oauth', 'capabilities/api-keys'],
  ['oauth', 'capabilities/audit'],
  ['oauth', 'capabilities/balance'],
  ['oauth', 'capabilities/limits'],
  ['oauth', 'capabilities/mail'],
  ['capabilities/customer-tool', 'capabilities/account'],
  ['capabilities/customer-tool', 'capabilities/audit'],
  ['capabilities/customer-tool', 'capabilities/domains'],
  ['capabilities/support', 'capabilities/account'],
  ['capabilities/support', 'capabilities/audit'],
  ['capabilities/support', 'capabilities/mail'],
]

/**
 * Separate trees that share no code with src, because a misreading of a protocol in shared code
 * would cancel out.
 */
const apart = ['sandbox', 'sdk', 'cli', 'dashboard']

type Place = { module: string; layer: number }
type Import = { file: string; line: number; to: string }

/**
 * Every import of our own files that breaks the order of the layers. Tests in src may import what
 * they test.
 */
export function checkLayers(tree: Tree): Complaint[] {
  const imports: Import[] = []
  const unread = tree.files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      walkFile(tree, file, (piece) => {
        const target = imported(piece)
        if (target?.startsWith('.'))
          imports.push({ file, line: piece.line, to: posix.join(posix.dirname(file), target) })
      }),
    )
  const shipped = imports.filter(({ file }) => !isTest(file) && !file.startsWith('sdk/src/'))
  return [...unread, ...imports.flatMap(check), ...cycles(shipped)]
}

const importing =
  /^(ImportDeclaration|ExportNamedDeclaration|ExportAllDeclaration|ImportExpression|TSImportType)$/

function imported(piece: Piece): string | null {
  return importing.test(piece.type) ? literal(piece.source) : null
}

function check({ file, line, to }: Import): Complaint[] {
  const complain = (sentence: string) => [`${file}:${line} imports ${to}: ${sentence}`]
  const [from, target] = [treeOf(file), treeOf(to)]
  if (from === 'src' && isTest(file)) return []
  if (from === 'src' && apart.includes(target)) return complain(`src imports nothing of ${target}`)
  if (from === 'src' && isTest(to)) return complain('only tests import what is for tests')
  if (apart.includes(from) && target === 'src') return complain(`${from} imports nothing of src`)
  if (from !== 'src' || target !== 'src') return []

  const [here, there] = [place(file), place(to)]
  if (there.layer > here.layer)
    return complain(`upward, from ${layerName(here)} to ${layerName(there)}`)
  if (there.layer < here.layer || here.module === there.module) return []
  if (!sideways.some(([a, b]) => a === here.module && b === there.module))
    return complain(`sideways, and ${here.module} -> ${there.module} is not declared`)
  if (layerName(here) === 'capabilities' && posix.basename(to) !== 'index.ts')
    return complain('another module is imported by its index.ts')
  return []
}

function treeOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function layerName(place: Place): string {
  return layers[place.layer]?.name ?? ''
}

function place(file: string): Place {
  const [, first = '', second = ''] = file.split('/')
  for (const [layer, { modules }] of layers.entries())
    for (const module of modules) {
      if (module === first) return { module, layer }
      if (module === `${first}/*`) return { module: `${first}/${second}`, layer }
      if (module === '*') return { module: 'interface', layer }
    }
  throw new Error(`${file} is in no layer`)
}

/** One complaint for each group of files that import each other in a circle, types included. */
function cycles(imports: Import[]): Complaint[] {
  const edges = Map.groupBy(imports, ({ file }) => file)
  const done = new Set<string>()
  const found: Complaint[] = []
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file)
    if (at >= 0) found.push(`circular: ${[...path.slice(at), file].join(' -> ')}`)
    if (at >= 0 || done.has(file)) return
    for (const { to } of edges.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return found
}
