// The fee extension (RFC 8748): the fees of a check and a result, and the acknowledgement of a fee.

import { formatCents, parseCents } from '../../support/money.ts'
import { type Paid, priceOf } from '../model/prices.ts'
import { CURRENCY } from '../model/profiles.ts'
import { FEE } from '../protocol/namespaces.ts'
import { Refused } from '../protocol/reply.ts'
import { collapse, type Element, escapeXml } from '../protocol/xml.ts'
import type { Call } from './command-context.ts'
import { child, children, inOrder, optionalText } from './field-parser.ts'

/** Compares the client's fee acknowledgement with the price. @throws Refused 2003, 2004 */
export function acknowledgeFee(call: Call, price: { cents: number; premium: boolean }): void {
  const given = call.extensions.get(FEE)
  if (given === undefined) {
    if (!price.premium) return
    throw new Refused(2003, `fees must be acknowledged: ${formatCents(price.cents)} ${CURRENCY}`)
  }
  inOrder(given, 'currency fee credit')
  requireCurrency(given)
  const fees = children(given, 'fee').map((fee) => readCents(collapse(fee.text)))
  if (fees.length === 0) throw new Refused(2003, 'fee is required')
  if (fees.reduce((sum, each) => sum + each, 0) === price.cents) return
  throw new Refused(2004, `the fee is ${formatCents(price.cents)} ${CURRENCY}`)
}

function requireCurrency(element: Element): void {
  const currency = optionalText(element, 'currency')
  if (currency !== null && currency !== CURRENCY) {
    throw new Refused(2004, `fees are in ${CURRENCY}, not ${currency.slice(0, 8)}`)
  }
}

function readCents(text: string): number {
  const cents = parseCents(text)
  if (cents === null) throw new Refused(2005, `${text.slice(0, 32)} is not an amount`)
  return cents
}

/**
 * The element fee:creData, renData, trnData, updData or delData, if the session has the extension.
 */
export function feeResult(call: Call, name: string, cents: number): string {
  if (!call.services.has(FEE)) return ''
  const amount =
    cents < 0
      ? `<fee:credit>${formatCents(cents)}</fee:credit>`
      : `<fee:fee>${formatCents(cents)}</fee:fee>`
  const balance = formatCents(call.registry.account(call.registrar).credit_cents)
  return (
    `<fee:${name} xmlns:fee="${FEE}"><fee:currency>${CURRENCY}</fee:currency>${amount}` +
    `<fee:balance>${balance}</fee:balance></fee:${name}>`
  )
}

type Asked = { name: string; years: number | null }

/**
 * The element fee:chkData for a domain check, with the names in the given order. `reserved` names
 * have no price.
 */
export function feeCheck(call: Call, names: { name: string; priced: boolean }[]): string {
  const check = call.extensions.get(FEE)
  if (check === undefined) return ''
  inOrder(check, 'currency command')
  requireCurrency(check)
  const asked = children(check, 'command').map(readAsked)
  if (asked.length === 0) throw new Refused(2003, 'fee:command is required')
  const entries = names.map(({ name, priced }) => {
    const id = `<fee:objID>${escapeXml(name)}</fee:objID>`
    if (!priced) return `<fee:cd avail="0">${id}<fee:reason>No price</fee:reason></fee:cd>`
    const { premium } = priceOf(call.registry, name, { kind: 'create', years: 1 })
    const commands = asked.map((each) => renderAsked(call, name, each)).join('')
    const kind = premium ? 'premium' : 'standard'
    return `<fee:cd avail="1">${id}<fee:class>${kind}</fee:class>${commands}</fee:cd>`
  })
  return (
    `<fee:chkData xmlns:fee="${FEE}"><fee:currency>${CURRENCY}</fee:currency>` +
    `${entries.join('')}</fee:chkData>`
  )
}

function readAsked(command: Element): Asked {
  const name = command.attributes.get('name') ?? ''
  const known = ['create', 'delete', 'renew', 'update', 'transfer', 'restore', 'custom']
  if (!known.includes(name)) throw new Refused(2005, `fee:command has no name ${name.slice(0, 32)}`)
  const period = child(command, 'period')
  if (period === undefined) return { name, years: null }
  const years = Number(collapse(period.text))
  if (!Number.isInteger(years) || years < 1 || years > 99) throw new Refused(2004, 'period')
  return { name, years }
}

function renderAsked(call: Call, name: string, asked: Asked): string {
  const kind = paidKind(asked.name)
  const open = `<fee:command name="${asked.name}"`
  if (kind === null) {
    const answer =
      asked.name === 'custom' ? '<fee:reason>Not offered</fee:reason>' : '<fee:fee>0.00</fee:fee>'
    return `${open} standard="1">${answer}</fee:command>`
  }
  const years = asked.years ?? 1
  const most = kind === 'transfer' || kind === 'restore' ? 1 : 10
  if (years > most) return `${open}><fee:reason>Period not offered</fee:reason></fee:command>`
  const { cents, premium } = priceOf(call.registry, name, { kind, years })
  const period = kind === 'restore' ? '' : `<fee:period unit="y">${years}</fee:period>`
  const grace = kind === 'restore' ? 'refundable="0"' : 'refundable="1" grace-period="P5D"'
  return (
    `${open} standard="${premium ? 0 : 1}">${period}` +
    `<fee:fee description="${kind}" ${grace}>${formatCents(cents)}</fee:fee></fee:command>`
  )
}

function paidKind(name: string): Paid | null {
  if (name === 'create' || name === 'renew' || name === 'transfer' || name === 'restore')
    return name
  return null
}
