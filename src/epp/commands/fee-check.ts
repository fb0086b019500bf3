// Fees of names (RFC 8748 section 4.1.1), which a check of domains requests for the period that is
// to be paid.
import { GarbageInput, UnwritableCommand } from '../errors.ts'
import { comparable, extensionOf, type Reply } from '../replies/reply.ts'
import { attribute, child, type Element, flag, ns, requiredWords, words } from '../xml/xml.ts'
import { currencyCode, years } from './command.ts'

type FeeVerb = 'create' | 'renew' | 'transfer' | 'restore'
/** `years` is null for a command without a period, such as a restore. */
type AskedFee = { verb: FeeVerb; years: number | null }
export type FeeQuestion = { currency: string; commands: readonly AskedFee[] }

/**
 * The prices of one name. `totals` are exact sums of fees and credits, without the verbs that have
 * no fee.
 */
export type NameFees = {
  name: string
  currency: string
  fee_class: string | null
  /** With false, the server says that a fee of this name is not the standard one. */
  standard: boolean | null
  totals: Partial<Record<FeeVerb, string>>
  reason: string | null
}

const amountForm = /^(-?)([0-9]+)(?:\.([0-9]+))?$/

/** The element `<fee:check>` for the names of a domain check. */
export function feeCheck(question: FeeQuestion): string {
  if (question.commands.length === 0) throw new UnwritableCommand('A fee check without a verb')
  const commands = question.commands.map(({ verb, years: asked }) =>
    asked === null
      ? `<fee:command name="${verb}"/>`
      : `<fee:command name="${verb}">${years('fee', asked)}</fee:command>`,
  )
  const inside = `${currencyCode(question.currency)}${commands.join('')}`
  return `<fee:check xmlns:fee="${ns.fee}">${inside}</fee:check>`
}

/** The exact sum of decimal strings, with the most decimals among them and at least two. */
export function sumOf(amounts: readonly string[]): string {
  const [only] = amounts
  if (amounts.length === 1 && only !== undefined && /^[0-9]+\.[0-9]{2}$/.test(only)) return only
  const parts = amounts.map((amount) => amountForm.exec(amount))
  const decimals = Math.max(2, ...parts.map((part) => part?.[3]?.length ?? 0))
  let sum = 0n
  for (const part of parts) {
    if (!part) throw new GarbageInput('A fee that is not a decimal number')
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

/** Makes one pass over a cd, because a check of 50 names has some hundreds of fees. */
function readNameFees(cd: Element, currency: string, asked: readonly AskedFee[]): NameFees {
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
    else if (part.local === 'command') readCommand(part, fees, asked)
  }
  return fees
}

/** RFC 8748 section 3.3: a fee belongs to its period, so one for another period answers nothing. */
function isOfPeriod(command: Element, verb: FeeVerb, asked: readonly AskedFee[]): boolean {
  const wanted = asked.find((one) => one.verb === verb)?.years ?? null
  const period = child(command, ns.fee, 'period')
  if (!period || wanted === null) return true
  const count = Number(words(period))
  return attribute(period, 'unit') === 'm' ? count === 12 * wanted : count === wanted
}

function readCommand(command: Element, fees: NameFees, asked: readonly AskedFee[]): void {
  const verb = verbOf(command)
  if (!verb || !isOfPeriod(command, verb, asked)) return
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
 * The fees in the answer to a domain check, by name in lower case, or empty if the server gave
 * none.
 */
export function parseFees(reply: Reply, asked: readonly AskedFee[]): Map<string, NameFees> {
  const answer = new Map<string, NameFees>()
  const data = extensionOf(reply, ns.fee, 'chkData')
  if (!data) return answer
  const currency = requiredWords(data, ns.fee, 'currency')
  for (const cd of data.children) {
    if (cd.uri !== ns.fee || cd.local !== 'cd') continue
    const fees = readNameFees(cd, currency, asked)
    answer.set(comparable(fees.name), fees)
  }
  return answer
}
