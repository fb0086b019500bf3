// Commands that spend money. The price is shown and confirmed first, and a purchase whose response
// was lost is resumed by its idempotency key, or a renewal by the same command.
import { randomUUID } from 'node:crypto'
import type { DomainStatusResponse, OperationResponse } from '../../sdk/src/types.gen.ts'
import { failureOfError } from '../api.ts'
import { exitCodes, Failure, usage } from '../failure.ts'
import { printable } from '../table.ts'
import {
  amountOf,
  type Command,
  type Context,
  confirm,
  currencyOf,
  day,
  millisecondsOf,
  oneOf,
  type Shown,
} from './command.ts'
import { inTime } from './until.ts'

type Action = 'register' | 'renew' | 'restore' | 'transfer'
/** `command` is the words of the command line before the name. */
type Purchase = {
  action: Action
  command: string
  domain: string
  period_years: number
  auth_code?: string
}
type Facts = {
  max_price?: string
  currency?: 'USD' | 'EUR'
  allow_premium?: true
  /** The domain as it was shown to the person who confirmed a renewal. */
  expected_expiry?: string
}
/**
 * A renewal is sent without a key: the service refuses the same renewal within 24 hours, so that a
 * script that runs the command again pays for one year. With a new key for each run it would pay
 * for another.
 */
type Order = { purchase: Purchase; facts: Facts; key: string | undefined }

const doing = { register: 'Buying', renew: 'Renewing', restore: 'Restoring', transfer: 'Moving' }

function yearsOf(text = '1'): number {
  if (/^([1-9]|10)$/.test(text)) return Number(text)
  throw usage(`--years is a number from 1 to 10, not ${text}`)
}

export async function spend(context: Context, purchase: Purchase): Promise<Shown> {
  const { flags, terminal } = context
  const key = flags['idempotency-key'] ?? (purchase.action === 'renew' ? undefined : randomUUID())
  const facts: Facts = flags.currency === undefined ? {} : { currency: currencyOf(flags) }
  if (flags.premium === true) facts.allow_premium = true
  if (flags['max-price'] !== undefined)
    facts.max_price = amountOf(flags['max-price'], '--max-price')
  if (flags['idempotency-key'] === undefined) await quote(context, purchase, facts)
  else await confirm(context, `Purchase ${key} of ${purchase.domain}.`, 'Continue?')

  terminal.progress(`${doing[purchase.action]} ${purchase.domain}`)
  const sold = await placed(context, { purchase, facts, key })
  const { operation } = sold
  const isOpen = operation !== null && ['pending', 'unknown'].includes(operation.state)
  if (flags.wait === true && isOpen) return ended(context, operation.id)
  const until = `${sold.domain_unicode} is ${sold.status}, until ${day(sold.expiry)}`
  const how = operation === null ? '' : `: agent-registrar wait ${operation.id}`
  const pending = `${sold.domain_unicode} is pending at the registry${how}`
  return { body: sold, lines: [printable(isOpen ? pending : until)] }
}

/** Shows the price and has it confirmed, so that nothing above it is paid. */
async function quote(context: Context, purchase: Purchase, facts: Facts): Promise<void> {
  const { action, domain, period_years } = purchase
  context.terminal.progress(`Requesting the price of ${domain}`)
  const { currency } = facts
  const isShown = action === 'renew' && context.flags.yes !== true
  const expiry = isShown ? (await context.registrar.getDomain({ path: { domain } })).expiry : null
  const body = { action, domain, period_years, ...(currency !== undefined && { currency }) }
  const { price } = await context.registrar.createQuote({ body })
  const years = period_years === 1 ? '1 year' : `${period_years} years`
  const cost = `${price.amount} ${price.currency}${price.premium ? ' (a premium name)' : ''}`
  const until = expiry === null ? '' : ` It is paid until ${day(expiry)}.`
  const statement = `${action} ${domain} for ${years}: ${cost}.${until}`
  if (price.premium && context.flags.yes === true && facts.allow_premium !== true)
    throw usage(`${statement} Give --premium to confirm that with --yes`)
  await confirm(context, statement, 'Buy?')
  if (price.premium) facts.allow_premium = true
  facts.max_price ??= price.amount
  if (expiry !== null) facts.expected_expiry = expiry
}

/** Prints how to resume when no answer comes, and on Ctrl-C. */
async function placed(context: Context, order: Order): Promise<DomainStatusResponse> {
  const line = lineOf(order)
  const goOn = () => {
    context.terminal.show(`Interrupted. The order may have been placed; continue with:\n${line}`)
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', goOn)
  try {
    return await send(context, order)
  } catch (error) {
    const failure = failureOfError(error, context.session)
    if (failure?.exit !== exitCodes.unavailable) throw error
    throw new Failure(failure.exit, failure.message, { next: line, body: failure.body })
  } finally {
    process.off('SIGINT', goOn)
  }
}

function send({ registrar }: Context, { purchase, facts, key }: Order) {
  const { action, domain, period_years, auth_code = '' } = purchase
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  const body = { ...facts, period_years }
  const path = { domain }
  switch (action) {
    case 'register':
      return registrar.registerDomain({ body: { ...body, domain }, headers })
    case 'renew':
      return registrar.renewDomain({ path, body, headers })
    case 'restore':
      return registrar.restoreDomain({ path, body: facts, headers })
    case 'transfer':
      return registrar.transferDomain({ body: { ...body, domain, auth_code }, headers })
  }
}

function lineOf({ purchase, facts, key }: Order): string {
  const { command, domain, period_years, action } = purchase
  const { max_price, currency, allow_premium } = facts
  return [
    `agent-registrar ${command} ${domain}`,
    ...(action === 'restore' ? [] : [`--years ${period_years}`]),
    ...(max_price === undefined ? [] : [`--max-price ${max_price}`]),
    ...(currency === undefined ? [] : [`--currency ${currency}`]),
    ...(allow_premium ? ['--premium'] : []),
    ...(action === 'transfer' ? ['--auth-code -'] : []),
    ...(key === undefined ? [] : [`--idempotency-key ${key}`]),
    '--yes',
  ].join(' ')
}

const paying = [
  'max-price',
  'currency',
  'premium',
  'idempotency-key',
  'wait',
  'timeout',
  'yes',
] as const
const terms = '[--years N] [--max-price AMOUNT] [--yes]'

export const buy: Command = {
  usage: [`buy NAME ${terms}`],
  summary: 'register a name, after showing its price',
  flags: ['years', ...paying],
  run: (context) => spend(context, purchaseOf(context, 'register', 'buy')),
}

export const renew: Command = {
  usage: [`renew NAME ${terms}`],
  summary: 'renew a domain, after showing the price',
  flags: ['years', ...paying],
  run: (context) => spend(context, purchaseOf(context, 'renew', 'renew')),
}

export const restore: Command = {
  usage: ['restore NAME [--max-price AMOUNT] [--yes]'],
  summary: 'restore a domain from redemption',
  flags: paying,
  run: (context) => spend(context, purchaseOf(context, 'restore', 'restore')),
}

function purchaseOf({ words, flags }: Context, action: Action, command: string): Purchase {
  return { action, command, domain: oneOf(words, 'one name'), period_years: yearsOf(flags.years) }
}

export const wait: Command = {
  usage: ['wait ORDER [--timeout SECONDS]'],
  summary: 'wait until an order has ended',
  flags: ['timeout'],
  run: (context) => ended(context, oneOf(context.words, 'the id of an order')),
}

async function ended(context: Context, id: string): Promise<Shown> {
  const { registrar, flags, terminal } = context
  const line = ({ type, domain, state, error }: OperationResponse) =>
    printable(
      `${type} of ${domain}: ${state}${error === null ? '' : `, ${error.detail ?? error.code}`}`,
    )
  terminal.progress(line(await registrar.getOperation({ path: { id } })))
  const waiting = registrar.waitForOperation(id, {
    ...millisecondsOf(flags),
    onProgress: (seen) => terminal.progress(line(seen)),
  })
  const body = await inTime(waiting, `agent-registrar wait ${id}`)
  return {
    body,
    lines: [line(body)],
    exit: body.state === 'failed' ? exitCodes.refused : exitCodes.ok,
  }
}
