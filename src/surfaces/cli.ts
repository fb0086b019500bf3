// The command line: calls an operation of a running service by its name, verifies or archives the
// audit log, accepts a restored one, or rotates keys.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Operation } from '../app.ts'
import {
  acceptRestoredAudit,
  archiveAudit,
  archivedProofCommand,
  verifyAuditCommand,
} from '../capabilities/audit/index.ts'
import { rotateDocumentKeysCommand } from '../capabilities/document-signatures/index.ts'
import { operatorKeysCommand } from '../capabilities/operators/index.ts'
import { operations } from '../catalog.ts'
import { readCallSettings, readSettings, type Settings } from '../config/config.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { startEmbedded } from '../db/embedded/index.ts'
import { Encryption } from '../kit/encryption.ts'
import { isLine } from '../kit/field-reader.ts'
import { rotateKeysCommand } from '../oauth/index.ts'
import { exportTransfersCommand, trialBalanceCommand } from './bookkeeping-commands.ts'
import { callService, jsonOf } from './call-service.ts'
import { fieldsOf, headerOf } from './pipeline/validate.ts'

const usage = [
  'bin/call                            lists the operations and commands',
  'bin/call NAME field=value ...       calls one; a value that is JSON is read as JSON',
  'bin/call download_invoice ... > invoice.pdf       a file comes as it is',
  'bin/call stream_support_events      a stream of events is shown as it comes, until Ctrl-C',
  'bin/call trial-balance [--at TIME]   shows all accounts, and whether the ledger is consistent',
  'bin/call export-transfers --from DAY --to DAY [--currency USD] > transfers.csv',
  'bin/call verify-audit               verifies every audit row, block and signature',
  'bin/call verify-audit --head FILE   and that the log still has the head saved in that file',
  'bin/call verify-audit --archive DIR    and the rows in archives',
  'bin/call archive-audit --partition NAME --archive DIR   moves the oldest quarter into a file',
  'bin/call prove-archived-audit --id N --archive DIR      prints the proof of an archived row',
  'bin/call accept-restored-audit --reason "..."   continues after a restore, recorded permanently',
  'bin/call create-operator-key --name NAME     makes a key, on the database itself; shown once',
  'bin/call rotate-operator-key --name NAME     gives it a new secret',
  'bin/call revoke-operator-key --name NAME     ends it, and its sessions',
  'bin/call list-operator-keys                  lists all, with their last use',
  'bin/call rotate-oauth-keys          makes new keys for ID tokens and cookies, used in 10 min',
  'bin/call rotate-oauth-keys --now    after a theft: used at once, the old ones rejected',
  'bin/call rotate-document-keys           a new key signs quotes and receipts',
  'bin/call rotate-document-keys --stolen  after a theft: the old signatures are not valid',
  '',
  'The service is at PUBLIC_URL (or HOST and PORT); the key is in API_KEY, that of the',
  'customer tool in CUSTOMER_TOOL_KEY.',
]

type Log = Record<'info' | 'warn' | 'error', (line: string) => void>

/** Runs a command line. Returns the exit code. */
export async function runCommand(words: string[], say: (line: string) => void): Promise<number> {
  const [name, ...rest] = words
  if (name === 'trial-balance') return trialBalanceOf(say, rest)
  if (name === 'export-transfers') return exportOf(say, rest)
  if (name === 'verify-audit') return verify(say, rest)
  if (name === 'archive-audit') return archive(say, rest)
  if (name === 'prove-archived-audit') return prove(say, rest)
  if (name === 'accept-restored-audit') return accept(say, rest)
  if (name === 'rotate-oauth-keys') return rotate(say, rest)
  if (name === 'rotate-document-keys') return rotateDocumentKeys(say, rest)
  if (isKeyCommand(name)) return operatorKeys(say, { command: name, words: rest })
  const operation = operations.find((one) => one.name === name)
  if (operation) return call(operation, rest, say)
  const known = operations.map((one) => `  ${one.name.padEnd(32)} ${one.does}`)
  for (const line of [...usage, '', ...known]) say(line)
  return name === undefined ? 0 : 2
}

/** Puts each field where it travels: path, query, header or body. */
function requestOf(operation: Operation, words: string[]) {
  const fields = fieldsOf(operation)
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const members: string[] = []
  let path = operation.path
  for (const word of words) {
    const [field = '', ...parts] = word.split('=')
    const text = parts.join('=')
    const location = fields.get(field)?.location ?? 'body'
    if (location === 'path') path = path.replace(`{${field}}`, encodeURIComponent(text))
    else if (location === 'query') query.append(field, text)
    else if (location === 'header') headers[headerOf(field)] = text
    else members.push(`${JSON.stringify(field)}:${jsonOf(text, fields.get(field)?.schema.type)}`)
  }
  const url = query.size > 0 ? `${path}?${query}` : path
  const takesBody = [...fields.values()].some(({ location }) => location === 'body')
  return { url, headers, body: takesBody ? `{${members.join(',')}}` : undefined }
}

async function call(
  operation: Operation,
  words: string[],
  say: (line: string) => void,
): Promise<number> {
  const { customer_tool_key } = readCallSettings()
  const request = requestOf(operation, words)
  const response = await callService(request.url, {
    method: operation.method,
    headers: {
      ...(operation.who.about === 'customer_tool' && customer_tool_key !== null
        ? { 'x-customer-tool-key': customer_tool_key }
        : {}),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: request.body }),
  })
  if (response.headers.get('content-type') === 'application/pdf') {
    process.stdout.write(new Uint8Array(await response.arrayBuffer()))
    return 0
  }
  if (response.headers.get('content-type') === 'text/event-stream') {
    for await (const chunk of response.body ?? []) process.stdout.write(chunk)
    return 0
  }
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json')
  say(json && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text)
  return response.ok ? 0 : 1
}

/** Runs the work on the service's own database, whether the service runs or not. */
async function onDatabase<T>(
  say: (line: string) => void,
  work: (parts: { db: Database; settings: Settings; log: Log }) => Promise<T>,
): Promise<T> {
  const settings = readSettings()
  const log = { info: say, warn: say, error: say }
  const embedded = settings.database_url
    ? null
    : await startEmbedded({ data_dir: settings.data_dir, log })
  const db = await openDatabase({ url: embedded?.url ?? settings.database_url ?? '' })
  try {
    return await work({ db, settings, log })
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

type Say = (line: string) => void

/** The values of the options that a command takes, or undefined for words that do not fit. */
function optionsOf<N extends string>(
  words: string[],
  ...names: N[]
): Partial<Record<N, string>> | undefined {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
    const { values } = parseArgs({ args: words, options })
    const given: Partial<Record<N, string>> = {}
    for (const name of names) {
      const value = values[name]
      if (typeof value === 'string') given[name] = value
    }
    return given
  } catch {
    return undefined
  }
}

/** Writes a line to the standard error, because the standard output may be a file. */
function sayOnError(line: string): void {
  process.stderr.write(`${line}\n`)
}

function sayUsage(say: Say): number {
  for (const line of usage) say(line)
  return 2
}

async function trialBalanceOf(say: Say, words: string[]): Promise<number> {
  const options = optionsOf(words, 'at')
  return options === undefined ? sayUsage(say) : trialBalanceCommand(say, options)
}

async function exportOf(say: Say, words: string[]): Promise<number> {
  const { from, to = from, ...rest } = optionsOf(words, 'from', 'to', 'currency') ?? {}
  if (from === undefined || to === undefined) return sayUsage(say)
  return exportTransfersCommand({ out: process.stdout, warn: sayOnError }, { from, to, ...rest })
}

async function verify(say: Say, words: string[]): Promise<number> {
  const options = optionsOf(words, 'head', 'archive')
  if (options === undefined) return sayUsage(say)
  const saved = options.head === undefined ? null : readFileSync(options.head, 'utf8')
  const archive_dir = options.archive ?? null
  return onDatabase(say, async (parts) => {
    const { ok, lines, report } = await verifyAuditCommand({ ...parts, saved, archive_dir })
    for (const line of lines) say(line)
    if (!ok) return 1
    return report && report.unread.length > 0 ? 3 : 0
  })
}

async function accept(say: Say, words: string[]): Promise<number> {
  const reason = optionsOf(words, 'reason')?.reason?.trim()
  if (!reason || reason.length > 1_000) return sayUsage(say)
  return onDatabase(say, async (parts) => {
    const { ok, lines } = await acceptRestoredAudit(parts, reason)
    for (const line of lines) say(line)
    return ok ? 0 : 1
  })
}

async function archive(say: Say, words: string[]): Promise<number> {
  const { partition, archive: dir } = optionsOf(words, 'partition', 'archive') ?? {}
  if (!partition || !dir) return sayUsage(say)
  return onDatabase(say, async (parts) => {
    const { ok, lines } = await archiveAudit({ ...parts, partition, dir })
    for (const line of lines) say(line)
    return ok ? 0 : 1
  })
}

/** Reads the archives alone, so neither the service nor the database need run. */
async function prove(say: Say, words: string[]): Promise<number> {
  const { id, archive: dir } = optionsOf(words, 'id', 'archive') ?? {}
  if (!id || !/^[0-9]{1,18}$/.test(id) || !dir) return sayUsage(say)
  const { ok, lines } = await archivedProofCommand({ settings: readSettings(), dir, id })
  for (const line of lines) say(line)
  return ok ? 0 : 1
}

async function rotate(say: (line: string) => void, options: string[]): Promise<number> {
  if (options.some((option) => option !== '--now')) return sayUsage(say)
  const at_once = options.includes('--now')
  return onDatabase(say, async ({ db, settings }) => {
    const parts = { db, encryption: new Encryption(settings) }
    for (const line of await rotateKeysCommand(parts, { at_once })) say(line)
    return 0
  })
}

async function rotateDocumentKeys(say: (line: string) => void, options: string[]): Promise<number> {
  if (options.some((option) => option !== '--stolen')) return sayUsage(say)
  const stolen = options.includes('--stolen')
  return onDatabase(say, async ({ db, settings }) => {
    const parts = { db, encryption: new Encryption(settings) }
    for (const line of await rotateDocumentKeysCommand(parts, { stolen })) say(line)
    return 0
  })
}

const keyCommands = [
  'create-operator-key',
  'rotate-operator-key',
  'revoke-operator-key',
  'list-operator-keys',
] as const
type KeyCommand = (typeof keyCommands)[number]

function isKeyCommand(name: string | undefined): name is KeyCommand {
  return keyCommands.some((one) => one === name)
}

type KeyWords = { command: KeyCommand; words: string[] }

async function operatorKeys(say: Say, { command, words }: KeyWords): Promise<number> {
  const name = optionsOf(words, 'name')?.name?.trim() ?? ''
  const takesName = command !== 'list-operator-keys'
  const isName = name !== '' && name.length <= 64 && isLine(name)
  if (takesName !== isName) return sayUsage(say)
  return onDatabase(say, async ({ db, settings }) => {
    for (const line of await operatorKeysCommand({ db, settings }, { command, name })) say(line)
    return 0
  })
}

/**
 * bin/call changes to the project's folder, while files are named from the one in which it was
 * called.
 */
function withPathsFrom(folder: string, words: string[]): string[] {
  return words.map((word, at) =>
    /^--(head|archive)$/.test(words[at - 1] ?? '') ? resolve(folder, word) : word,
  )
}

if (import.meta.main) {
  // The reader of `bin/call | head` has read all that it wanted.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
    process.exit(code === 'EPIPE' ? 0 : 1),
  )
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const [, , , folder = '', ...words] = process.argv
  process.exitCode = await runCommand(withPathsFrom(folder, words), say).catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  })
}
