// Prompts are tasks that a user starts by name. Each leads an agent through the tools in the safe
// order, within limits that the person gives as arguments.
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { currencies, parseAmount } from '../../kit/money.ts'
import { readHost } from '../../kit/net/host.ts'
import { refusalRule } from '../descriptions/guide.ts'

type Argument = {
  description: string
  required: boolean
  fits: (text: string) => boolean
  /** The completions offered to a client. */
  values?: readonly string[]
}
type Values = Record<string, string>
type Definition = {
  title: string
  description: string
  takes: Record<string, Argument>
  steps: (values: Values) => string[]
}

const amount = (description: string): Argument => ({
  description: `${description}: a decimal amount such as "15.00".`,
  required: true,
  fits: (text) => parseAmount(text) !== undefined,
})
const currencyOf = (description: string): Argument => ({
  description: `${description}: ${currencies.join(' or ')}.`,
  required: false,
  fits: (text) => currencies.some((one) => one === text),
  values: currencies,
})
const currency = currencyOf('The currency of the limit, and the balance that pays; USD if left out')
const numberOf = (description: string, most: number): Argument => ({
  description: `${description}: a number from 1 to ${most}.`,
  required: false,
  fits: (text) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= most,
})
const textOf = (description: string, required: boolean, most: number): Argument => ({
  description,
  required,
  fits: (text) => text.trim() !== '' && text.length <= most,
})

const readBack =
  'Read get_domain until operation.state is succeeded or failed; while it is pending or unknown, ' +
  'wait, and never pay again. If an answer is lost, repeat the same call with the same ' +
  'idempotency_key.'

const definitions: Record<string, Definition> = {
  find_and_buy_name: {
    title: 'Find and buy a name',
    description: 'Find an available name that fits, and buy the one that you choose.',
    takes: {
      idea: textOf('The purpose of the name, or words that it should have.', true, 1000),
      max_price: amount('The most that it may cost in all'),
      currency,
      years: numberOf('Years to pay for, 1 if left out', 10),
      tlds: textOf('TLDs, such as "com io"; any if left out.', false, 200),
    },
    steps: ({ idea, max_price, currency = 'USD', years = '1', tlds }) => [
      `Find an available domain name for ${JSON.stringify(idea)} and buy it for at most ` +
        `${max_price} ${currency} in all, for ${years} year(s).`,
      `Think of up to 30 names${tlds ? ` that end in: ${JSON.stringify(tlds)}` : ''}. Ask ` +
        `check_domain_availability about all of them at once, with currency ${currency}. Only ` +
        '"available": true with a price is a candidate; null is unknown.',
      'Leave out names above the limit. Show me the best three with "amount" and ' +
        '"renewal_amount", and let me choose. Buy nothing before I have chosen.',
      `Read get_balance in ${currency}: "available" must cover the price. If it does not, stop ` +
        'and say how much is missing: only I can add money.',
      `Call register_domain with dry_run true, period_years ${years}, currency ${currency} and ` +
        `max_price "${max_price}". If the price is more than I saw, ask me again.`,
      'Call register_domain with the same, without dry_run, and with an idempotency_key that you ' +
        'make now and keep.',
      readBack,
      'Report the name, its price, and until when it is paid.',
    ],
  },
  renew_expiring: {
    title: 'Renew what expires soon',
    description: 'Renew all names that expire soon for a year, within a limit.',
    takes: {
      max_total: amount('The most that all renewals together may cost'),
      currency,
      days: numberOf('How many days ahead, 31 if left out', 366),
    },
    steps: ({ max_total, currency = 'USD', days = '31' }) => [
      `Renew for one year each of my domains that expires within ${days} days or has expired, ` +
        `for at most ${max_total} ${currency} together.`,
      'Read list_domains. Take those with status "active" or "expired" whose "expires_at" is ' +
        `within ${days} days or past, and that do not have auto_renew. Do not restore names in ` +
        'redemption: report them.',
      `Call renew_domain with dry_run true and currency ${currency} for each: it returns the ` +
        `price. Read get_balance in ${currency}.`,
      'If together they cost more than the limit, or than "available", take those that expire ' +
        'first, as far as the money goes, and report the others.',
      'Call renew_domain for each, one after the other, with period_years 1, expected_expiry ' +
        '(its "expires_at"), max_price (the price of its dry run) and an idempotency_key of its ' +
        'own. Stop before the sum exceeds the limit.',
      readBack,
      'Report the renewed names, their new expiry, the total cost, and the remaining balance.',
    ],
  },
  move_domain_here: {
    title: 'Move a domain here',
    description: 'Transfer a domain here from another registrar.',
    takes: {
      domain: {
        description: 'The domain, such as "my-agent.com".',
        required: true,
        fits: (text) => {
          const name = readHost(text)
          return 'host' in name && name.host.includes('.')
        },
      },
      max_price: amount('The most that the transfer may cost'),
      currency,
    },
    steps: ({ domain, max_price, currency = 'USD' }) => [
      `Move ${domain} to this account from its registrar, for at most ${max_price} ${currency}.`,
      'Ask me whether it is unlocked there, and for its authorization code. Use the code in ' +
        'transfer_domain alone; do not repeat it elsewhere.',
      'Read list_contacts: one must be the default registrant. If there is none, ask me for the ' +
        'details and call create_contact.',
      `Call transfer_domain with dry_run true, currency ${currency} and max_price ` +
        `"${max_price}": it returns the price, which includes one year. Read get_balance in ` +
        `${currency}: ` +
        'if "available" does not cover it, stop and say how much is missing.',
      'Call transfer_domain with the same, without dry_run, and with an idempotency_key that you ' +
        'make now and keep. The money is held until the transfer has ended.',
      'It takes up to five days. get_domain says "transfer_pending", then "active" (paid) or ' +
        '"failed" (the money is released). Never order it twice; cancel_transfer cancels it ' +
        'if I no longer want it.',
      'Report its status, and when you will check again.',
    ],
  },
  review_domains: {
    title: 'My domains and their costs',
    description: 'A list of all names with their terms and prices. Nothing is changed or paid.',
    takes: { currency: currencyOf('The currency of the prices; USD if left out') },
    steps: ({ currency = 'USD' }) => [
      `List my domains here and their yearly costs in ${currency}. Change and pay nothing.`,
      'Read list_domains, all pages.',
      `Read get_domain_pricing with the TLDs of these and currency ${currency}, and get_balance ` +
        `in ${currency}.`,
      'Make a table by "expires_at": name, status, expires_at, auto_renew, price of a renewal ' +
        '(the list has standard prices; a premium name costs more). Below it: the yearly sum, ' +
        'the balance, and the day on which automatic renewals will use it up.',
      'List the names that need action: expired, in redemption, being transferred, or expiring ' +
        'within 60 days without auto_renew; each with its next_actions. get_state_model ' +
        'explains each status.',
    ],
  },
}

export const prompts: Prompt[] = Object.entries(definitions).map(
  ([name, { title, description, takes }]) => ({
    name,
    title,
    description,
    arguments: Object.entries(takes).map(([argument, { description, required }]) => {
      return { name: argument, description, required }
    }),
  }),
)

/**
 * The prompt of a name. Throws InvalidParams, with all problems, for another name or arguments that
 * do not fit.
 */
export function promptOf(name: string, given: Values = {}): GetPromptResult {
  const definition = definitionOf(name)
  const { takes } = definition
  const problems = [
    ...Object.keys(given).flatMap((one) =>
      Object.hasOwn(takes, one) ? [] : [`there is no argument "${one}"`],
    ),
    ...Object.entries(takes).flatMap(([one, argument]) => problemOf(one, argument, given[one])),
  ]
  if (problems.length > 0) throw refused(`Prompt ${name}: ${problems.join('; ')}`)
  const [job = '', ...steps] = definition.steps(given)
  const numbered = steps.map((step, i) => `${i + 1}. ${step}`)
  const text = [job, '', ...numbered, '', refusalRule].join('\n')
  return {
    description: definition.title,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

function problemOf(name: string, argument: Argument, text: string | undefined): string[] {
  if (text === undefined) return argument.required ? [`"${name}" is needed`] : []
  return argument.fits(text) ? [] : [`"${name}" does not fit: ${argument.description}`]
}

/** The completions of an argument, which are empty where any text is allowed. */
export function completionsOf(name: string, argument: string, begun: string): string[] {
  const { takes } = definitionOf(name)
  const found = Object.hasOwn(takes, argument) ? takes[argument] : undefined
  if (!found) throw refused(`Prompt ${name} has no argument "${argument}"`)
  return startingWith(found.values ?? [], begun)
}

/** The values that start with the text, whatever its case. */
export function startingWith(values: readonly string[], begun: string): string[] {
  return values.filter((value) => value.toLowerCase().startsWith(begun.toLowerCase()))
}

function definitionOf(name: string): Definition {
  const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined
  if (!found) throw refused(`There is no prompt "${name}"; prompts/list has the available ones`)
  return found
}

function refused(words: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, words)
}
