// What paid requests have in common in what they take.
import Type from 'typebox'
import type { App } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { currencies, parseAmount } from '../../../kit/money.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { oneOf, withDefault } from '../../../kit/schema.ts'
import { type DomainName, parseDomainName } from '../domain-name.ts'
import { domainNotSupported } from '../faults.ts'

export const domainInPath = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'The name.',
})

export const paidFields = {
  currency: withDefault(oneOf(currencies, { description: 'Which balance pays.' }), 'USD'),
  max_price: Type.Optional(
    Type.String({
      maxLength: 20,
      examples: ['12.00'],
      description: 'The most to pay in all, in units of "currency": "12.00". Refused above it.',
    }),
  ),
  dry_run: withDefault(
    Type.Boolean({ description: 'Check all that can be checked; do nothing.' }),
    false,
  ),
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Repeating a request with the same key within 24 h repeats only its answer.',
    }),
  ),
}

/** A name to buy; 422 when it is none, 409 domain_not_supported when nobody sells it to us. */
export function nameOf(app: App, { domain }: { domain: string }): DomainName {
  const name = parseDomainName(domain, (tld) => app.registries.forTld(tld) !== undefined)
  if ('problem' in name)
    throw new InvalidInput([{ path: ['domain'], msg: name.problem, type: 'domain_name' }])
  if (!name.sold) throw domainNotSupported()
  return name
}

/** A name in a path, as it is kept; 422 when it cannot be one. */
export function hostOf(text: string): string {
  const name = parseHost(text)
  if (name !== undefined) return name
  const msg = 'Input should be a domain name'
  throw new InvalidInput([{ path: ['domain'], msg, type: 'domain_name' }])
}

/** In minor units; 422 for what is no amount. */
export function maxPriceOf({ max_price }: { max_price?: string }): bigint | undefined {
  if (max_price === undefined) return undefined
  const amount = parseAmount(max_price)
  if (amount !== undefined) return amount
  const msg = 'Input should be a decimal amount such as "12.00"'
  throw new InvalidInput([{ path: ['max_price'], msg, type: 'decimal_parsing' }])
}
