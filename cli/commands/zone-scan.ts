// The records that a domain has at its current name servers, which are shown, or saved as a zone
// file that `dns import` reads.
import { exitCodes, Failure } from '../failure.ts'
import { refuseExisting, save } from '../new-file.ts'
import { printable } from '../table.ts'
import { type Context, oneOf, type Shown } from './command.ts'
import { recordTable } from './record-changes.ts'

type Scanned = Awaited<ReturnType<Context['registrar']['scanDnsZone']>>

/** `file` must not exist yet. */
export async function scanZone({ registrar }: Context, words: string[]): Promise<Shown> {
  const [domain = '', file] = words.length === 2 ? words : [oneOf(words, 'a name, and a new file')]
  if (file !== undefined) refuseExisting(file)
  const body = await registrar.scanDnsZone({ path: { domain } })
  if (file === undefined) return { body, lines: linesOf(body).map(printable) }
  if (body.zonefile === null)
    throw new Failure(exitCodes.refused, 'The zone is too long for a file', {
      next: 'Give --json in place of a file, and send its "sets" to the REST API.',
    })
  const saved = await save(file, body.zonefile)
  const next = `Compare: agent-registrar dns import ${domain} ${file} --dry-run`
  return { body, lines: [...linesOf(body), ...saved.lines, next].map(printable) }
}

function linesOf(body: Scanned): string[] {
  const { sets, servers, left_out, differences, warnings, not_seen, complete } = body
  return [
    ...(sets.length === 0 ? ['No records were found'] : recordTable(sets)),
    ...servers.map(serverLine),
    ...left_out.map(({ host, type, reason }) => `Left out: ${host} ${type}. ${reason}`),
    ...differences.map(({ host, type, servers: each }) => {
      const answers = each.map(({ name, values }) => `${name}: ${values.join(', ') || 'none'}`)
      return `Differs: ${host} ${type}. ${answers.join('; ')}`
    }),
    ...warnings.map(({ host, type, message }) => `Warning: ${host} ${type}. ${message}`),
    ...not_seen.map((sentence) => `Note: ${sentence}`),
    ...(complete ? [] : ['The scan is not complete']),
  ]
}

const states = {
  answers: 'answers',
  lame: 'does not serve the domain',
  silent: 'does not answer',
  not_public: 'is no public address, and was not asked',
}

function serverLine({ name, addresses, zone_transfer }: Scanned['servers'][number]): string {
  if (addresses.length === 0) return `Server: ${name} has no address`
  const each = addresses.map(({ address, state, serial }) => {
    const version = serial === null ? '' : ` with serial ${serial}`
    return `${address} ${states[state]}${version}`
  })
  const copy = zone_transfer === 'whole' ? '; it gave a copy of the whole zone' : ''
  return `Server: ${name}: ${each.join(', ')}${copy}`
}
