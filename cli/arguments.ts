// The options of all commands, by name, and the arguments of one call as they are read.
import { parseArgs } from 'node:util'
import { usage } from './failure.ts'
import { nearest } from './nearest.ts'

type Option = {
  type: 'string' | 'boolean'
  multiple?: boolean
  short?: string
  /** The name of its value in the help. */
  value?: string
  summary: string
}

const text = <V extends string>(value: V, summary: string) =>
  ({ type: 'string', value, summary }) as const
const list = <V extends string>(value: V, summary: string) =>
  ({ type: 'string', multiple: true, value, summary }) as const
const flag = (summary: string) => ({ type: 'boolean', summary }) as const

/** The options that every command takes. */
const common = {
  url: text('URL', 'the service; default AGENT_REGISTRAR_URL, or log-in'),
  json: flag('one JSON document instead of lines'),
  quiet: flag('no progress'),
  'no-color': flag('no colors; NO_COLOR does the same'),
  help: { ...flag('the help of the command'), short: 'h' },
}
const own = {
  version: flag('the version of this program'),
  'api-key': text('-', 'read the API key from standard input'),
  scope: list('SCOPE', 'permissions of a key, or further ones of a log-in'),
  open: flag('open the page in the browser of this machine'),
  years: text('N', 'from 1 to 10; default: 1'),
  currency: text('CODE', 'USD or EUR; default: USD'),
  'max-price': text('AMOUNT', 'the most that one purchase may cost'),
  premium: flag('allow a premium name'),
  'auth-code': text('-', 'read the transfer code from standard input'),
  'idempotency-key': text('KEY', 'resume an interrupted purchase'),
  wait: flag('wait for the end of the order'),
  'no-wait': flag('do not wait for the payment'),
  pdf: text('FILE', 'save it as a PDF in this new file'),
  timeout: text('SECONDS', 'stop waiting after this time'),
  yes: { ...flag('do not ask for a confirmation'), short: 'y' },
  host: text('HOST', 'such as www; default: the domain itself'),
  type: text('TYPE', 'of DNS records, such as MX'),
  ttl: text('SECONDS', 'how long resolvers keep a record; default: as it is'),
  replace: flag('also delete what the file lacks, or a template names'),
  'require-served': flag('wait until the new name servers have all records'),
  prune: flag('also take away what the change added'),
  'dry-run': flag('show the difference, change nothing'),
  algorithm: text('NAME', 'of a TSIG key: hmac-sha256 (default) or hmac-sha512'),
  'revert-after': text('DURATION', 'undo it by itself unless confirmed, as PT10M'),
  'if-match': text('ETAG', 'only if the records are still those with this etag'),
  new: flag('set a new code; older ones stop working'),
  all: flag('also those that have ended'),
  asset: text('ASSET', 'the asset to pay in, such as USDC'),
  network: text('NETWORK', 'of the asset, where there are several'),
  card: flag('pay by card, on a page'),
  cursor: text('CURSOR', 'continue after this one'),
  name: text('NAME', 'a name to recognize it by'),
  expires: text('DATE', 'when it expires, such as 2027-01-31'),
  'spend-limit': text('AMOUNT', 'the most that it may spend in a window'),
  window: text('WINDOW', 'day, month or total; default: month'),
  'approval-above': text('AMOUNT', 'purchases above it wait for the owner'),
  tld: list('TLD', 'buys only names under these TLDs'),
  domain: list('PATTERN', 'sees and buys only these, such as shop-*.com'),
  ip: list('NETWORK', 'works only from these addresses'),
  'dns-host': list('HOST', 'changes only DNS records of these hosts'),
  'dns-type': list('TYPE', 'changes only DNS records of these types'),
}

export const options = { ...common, ...own } satisfies Record<string, Option>
export type FlagName = keyof typeof own
export type Arguments = ReturnType<typeof readArguments>
export type Flags = Arguments['values']

export function readArguments(argv: string[]) {
  try {
    return parseArgs({ args: argv, allowPositionals: true, options })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1]
    if (unknown === undefined) throw usage(message)
    const near = nearest(unknown.replace(/^-+/, ''), Object.keys(options))
    throw usage(`There is no option ${unknown}${near === null ? '' : `; did you mean --${near}?`}`)
  }
}

/** Refuses options that the command would ignore. */
export function requireOptions(command: string, flags: Flags, taken: readonly FlagName[]): void {
  const known: readonly string[] = [...Object.keys(common), ...taken]
  const odd = Object.keys(flags).find((name) => !known.includes(name))
  if (odd !== undefined) throw usage(`${command} takes no --${odd}`)
}

/** An option as the help writes it: --name VALUE. */
export function optionLine(name: keyof typeof options): [string, string] {
  const option: Option = options[name]
  const short = option.short === undefined ? '' : `-${option.short}, `
  const value = option.value === undefined ? '' : ` ${option.value}`
  return [`${short}--${name}${value}`, option.summary]
}
