// The DNS records of a domain as a zone file, which is imported from a file or from standard input,
// or saved.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { exitCodes, Failure } from '../failure.ts'
import { refuseExisting, save } from '../new-file.ts'
import { printable } from '../table.ts'
import { type Context, confirm, oneOf, type Shown, wordsOf } from './command.ts'
import { changed, headersOf, modeOf } from './record-changes.ts'

/**
 * With --replace, a dry run comes first, so that the user confirms what is deleted, and nothing
 * else is deleted.
 */
export async function importZone(context: Context, words: string[]): Promise<Shown> {
  const { registrar, flags } = context
  const [domain = '', file = ''] = wordsOf(words, 'a name', 'a file (or -: standard input)')
  const path = { domain }
  const body = { zonefile: await contentOf(file), ...modeOf(context) }
  const send = (more: object, guard: Guard) =>
    registrar.importDnsZone({ path, body: { ...body, ...more }, ...headersOf(guard) })
  if (flags.replace !== true) return imported(await send({}, flags))
  const { serial } = await registrar.listRecordSets({ path })
  const guard = { 'if-match': flags['if-match'] ?? `"${serial}"` }
  const preview = await send({ mode: 'replace', dry_run: true }, guard)
  if (flags['dry-run'] === true) return imported(preview)
  const deleted = preview.diff.filter(({ after }) => after === null)
  if (deleted.length > 0) {
    const [first] = deleted
    const more = deleted.length > 1 ? ` and ${deleted.length - 1} more` : ''
    const what = `This deletes ${first?.host} ${first?.type}${more} of ${domain}.`
    await confirm(context, what, 'Go on?')
  }
  return imported(await send({ mode: 'replace' }, guard))
}

type Guard = Parameters<typeof headersOf>[0]
type Imported = Parameters<typeof changed>[0] & { left_out: { line: number; type: string }[] }

function imported(body: Imported): Shown {
  const left = body.left_out.map(({ line, type }) =>
    printable(`Left out line ${line}: ${type} is managed`),
  )
  const { lines } = changed(body)
  return { body, lines: [...lines, ...left] }
}

async function contentOf(file: string): Promise<string> {
  if (file === '-') return text(process.stdin)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Failure(exitCodes.refused, `${file} cannot be read: ${Object(error).code ?? error}`)
  }
}

/** Writes to a new file, or to standard output. */
export async function exportZone({ registrar }: Context, words: string[]): Promise<Shown> {
  const [domain, file] = words.length === 2 ? words : [oneOf(words, 'a name, and a new file')]
  if (file !== undefined) refuseExisting(file)
  const zonefile = await registrar.exportDnsZone({ path: { domain: domain ?? '' } })
  if (file !== undefined) return save(file, zonefile)
  return { body: { domain, zonefile }, lines: zonefile.trimEnd().split('\n').map(printable) }
}
