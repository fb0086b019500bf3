// Extensions of domain commands: fees (RFC 8748), which are asked for and agreed to, and DS records
// (RFC 5910, dsData interface only).
import { GarbageInput, UnwritableCommand } from '../errors.ts'
import { comparable, extensionOf, type Reply } from '../replies/reply.ts'
import { attribute, childrenOf, type Element, flag, ns, requiredWords, words } from '../xml/xml.ts'
import { counted, years } from './command.ts'

export type FeeVerb = 'create' | 'renew' | 'transfer' | 'restore'
/** `amount`: decimal string, zero or more. */
export type Fee = { currency: string; amount: string }
export type FeeQuestion = { currency: string; verbs: readonly FeeVerb[]; period_years: number }

/**
 * The prices of one name. `totals` are exact sums of fees and credits; a verb without a fee is left
 * out.
 */
export type NameFees = {
  name: string
  currency: string
  fee_class: string | null
  /** false: the server says that a fee of this name is not the standard one. */
  standard: boolean | null
  totals: Partial<Record<FeeVerb, string>>
  reason: string | null
}

const amountForm = /^(-?)([0-9]+)(?:\.([0-9]+))?$/

function currencyCode(currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) throw new UnwritableCommand(`${currency} is not a currency`)
  return `<fee:currency>${currency}</fee:currency>`
}

/** `<fee:check>` for the names of a domain check. */
export function feeCheck(question: FeeQuestion): string {
  if (question.verbs.length === 0) throw new UnwritableCommand('A fee check without a verb')
  const period = years('fee', question.period_years)
  const commands = question.verbs.map((verb) =>
    verb === 'restore'
      ? '<fee:command name="restore"/>'
      : `<fee:command name="${verb}">${period}</fee:command>`,
  )
  const inside = `${currencyCode(question.currency)}${commands.join('')}`
  return `<fee:check xmlns:fee="${ns.fee}">${inside}</fee:check>`
}

/** The agreement to a fee inside a transform command; empty when there is none to agree to. */
export function feeAgreed(verb: 'create' | 'renew' | 'transfer' | 'update', fee: Fee | null) {
  if (!fee) return ''
  if (!/^[0-9]{1,18}(\.[0-9]{1,6})?$/.test(fee.amount)) {
    throw new UnwritableCommand(`${fee.amount} is not a fee`)
  }
  const amount = `<fee:fee>${fee.amount}</fee:fee>`
  return `<fee:${verb} xmlns:fee="${ns.fee}">${currencyCode(fee.currency)}${amount}</fee:${verb}>`
}

/** Exact sum of decimal strings with the most decimals among them, at least two. */
export function sumOf(amounts: readonly string[]): string {
  const [only] = amounts
  if (amounts.length === 1 && only !== undefined && /^[0-9]+\.[0-9]{2}$/.test(only)) return only
  const parts = amounts.map((amount) => amountForm.exec(amount))
  const decimals = Math.max(2, ...parts.map((part) => part?.[3]?.length ?? 0))
  let sum = 0n
  for (const part of parts) {
    if (!part) throw new GarbageInput('A fee that is no decimal number')
    const value = BigInt(`${part[2]}${(part[3] ?? '').padEnd(decimals, '0')}`)
    sum += part[1] === '-' ? -value : value
  }
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  return `${sum < 0n ? '-' : ''}${whole}.${digits.slice(-decimals)}`
}

function verbOf(command: Element): FeeVerb | null {
  const name = attribute(command, 'name')
  const known = name === 'create' || name === 'renew' || name === 'transfer' || name === 'restore'
  return known ? name : null
}

/** One pass over a cd: a check of 50 names has some hundreds of fees. */
function readNameFees(cd: Element, currency: string): NameFees {
  const fees: NameFees = {
    name: '',
    currency,
    fee_class: null,
    standard: null,
    totals: {},
    reason: null,
  }
  for (const part of cd.children) {
    if (part.uri !== ns.fee) continue
    if (part.local === 'objID') fees.name = words(part)
    else if (part.local === 'class') fees.fee_class = words(part)
    else if (part.local === 'reason') fees.reason = words(part)
    else if (part.local === 'command') readCommand(part, fees)
  }
  return fees
}

function readCommand(command: Element, fees: NameFees): void {
  const verb = verbOf(command)
  if (!verb) return
  if (verb !== 'restore' && flag(command, 'standard') === false) fees.standard = false
  if (fees.standard === null && flag(command, 'standard') === true) fees.standard = true
  const amounts: string[] = []
  for (const part of command.children) {
    if (part.uri === ns.fee && (part.local === 'fee' || part.local === 'credit')) {
      amounts.push(words(part))
    }
  }
  if (amounts.length > 0) fees.totals[verb] = sumOf(amounts)
}

/**
 * The fees in the answer to a domain check, by name in lower case; empty when the server gave none.
 */
export function parseFees(reply: Reply): Map<string, NameFees> {
  const answer = new Map<string, NameFees>()
  const data = extensionOf(reply, ns.fee, 'chkData')
  if (!data) return answer
  const currency = requiredWords(data, ns.fee, 'currency')
  for (const cd of data.children) {
    if (cd.uri !== ns.fee || cd.local !== 'cd') continue
    const fees = readNameFees(cd, currency)
    answer.set(comparable(fees.name), fees)
  }
  return answer
}

/** `digest` in hexadecimal. */
export type DsRecord = { key_tag: number; algorithm: number; digest_type: number; digest: string }

function whole(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new UnwritableCommand(`DS record: ${value} is not 0..${max}`)
  }
  return value
}

function dsData(record: DsRecord): string {
  if (!/^([0-9A-Fa-f]{2})+$/.test(record.digest)) {
    throw new UnwritableCommand('DS record: the digest is not hexadecimal')
  }
  return (
    `<secDNS:dsData><secDNS:keyTag>${whole(record.key_tag, 65535)}</secDNS:keyTag>` +
    `<secDNS:alg>${whole(record.algorithm, 255)}</secDNS:alg>` +
    `<secDNS:digestType>${whole(record.digest_type, 255)}</secDNS:digestType>` +
    `<secDNS:digest>${record.digest}</secDNS:digest></secDNS:dsData>`
  )
}

function all(records: readonly DsRecord[]): string {
  return counted(records, 'DS records').map(dsData).join('')
}

/** For a domain create; empty without records. */
export function secDnsCreate(records: readonly DsRecord[]): string {
  if (records.length === 0) return ''
  return `<secDNS:create xmlns:secDNS="${ns.secDNS}">${all(records)}</secDNS:create>`
}

/** For a domain update; `remove: 'all'` takes every record off before the new ones come. */
export function secDnsUpdate(change: { add: DsRecord[]; remove: DsRecord[] | 'all' }): string {
  const { add, remove } = change
  if (add.length === 0 && remove.length === 0) return ''
  const removed = remove === 'all' ? '<secDNS:all>true</secDNS:all>' : remove.map(dsData).join('')
  const rem = removed === '' ? '' : `<secDNS:rem>${removed}</secDNS:rem>`
  const added = add.length === 0 ? '' : `<secDNS:add>${all(add)}</secDNS:add>`
  return `<secDNS:update xmlns:secDNS="${ns.secDNS}">${rem}${added}</secDNS:update>`
}

/** The DS records in the answer to a domain info. */
export function parseDsRecords(reply: Reply): DsRecord[] {
  const data = extensionOf(reply, ns.secDNS, 'infData')
  if (!data) return []
  return childrenOf(data, ns.secDNS, 'dsData').map((record) => ({
    key_tag: Number(requiredWords(record, ns.secDNS, 'keyTag')),
    algorithm: Number(requiredWords(record, ns.secDNS, 'alg')),
    digest_type: Number(requiredWords(record, ns.secDNS, 'digestType')),
    digest: requiredWords(record, ns.secDNS, 'digest'),
  }))
}
