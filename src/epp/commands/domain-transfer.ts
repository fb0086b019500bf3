// Domain <transfer> (RFC 5731 sections 3.1.3 and 3.2.4): five operations on one element.

import { GarbageInput } from '../errors.ts'
import {
  childMoment,
  comparable,
  dataOf,
  type Reply,
  requiredMoment,
  requireSameName,
  sameName,
} from '../replies/reply.ts'
import { type Element, ns, requiredWords } from '../xml/xml.ts'
import { type Command, commandFrame, label, password, years } from './command.ts'
import { type Fee, feeAgreed } from './domain-transform.ts'

const transferStatuses = [
  'pending',
  'clientApproved',
  'clientCancelled',
  'clientRejected',
  'serverApproved',
  'serverCancelled',
] as const
type TransferStatus = (typeof transferStatuses)[number]

export type TransferData = {
  name: string
  status: TransferStatus
  requested_by: string
  requested_at: string
  acts: string
  acts_at: string
  expires_at: string | null
}
type TransferRequestInput = {
  name: string
  auth_info: string
  period_years: number | null
  fee: Fee | null
}
/** With `auth_info`, a registrar that is not a party to a transfer can ask about it. */
export type TransferNameInput = { name: string; auth_info: string | null }

type Operation = 'request' | 'query' | 'cancel' | 'approve' | 'reject'

export function readTransfer(data: Element): TransferData {
  const text = requiredWords(data, ns.domain, 'trStatus')
  const status = transferStatuses.find((known) => known === text)
  if (!status) throw new GarbageInput(`Transfer status ${text}`)
  return {
    name: comparable(requiredWords(data, ns.domain, 'name')),
    status,
    requested_by: requiredWords(data, ns.domain, 'reID'),
    requested_at: requiredMoment(data, ns.domain, 'reDate'),
    acts: requiredWords(data, ns.domain, 'acID'),
    acts_at: requiredMoment(data, ns.domain, 'acDate'),
    expires_at: childMoment(data, ns.domain, 'exDate'),
  }
}

function action(op: Operation, name: string, rest: string): string {
  const inside = `<domain:name>${label(name)}</domain:name>${rest}`
  const element = `<domain:transfer xmlns:domain="${ns.domain}">${inside}</domain:transfer>`
  return `<transfer op="${op}">${element}</transfer>`
}

function authInfo(value: string | null): string {
  if (value === null) return ''
  return `<domain:authInfo><domain:pw>${password(value)}</domain:pw></domain:authInfo>`
}

function parse(reply: Reply, asked: { name: string }): TransferData {
  const data = dataOf(reply, ns.domain, 'trnData')
  return { ...readTransfer(data), name: sameName(data, ns.domain, asked.name) }
}

function identify(reply: Reply, asked: { name: string }): null {
  return requireSameName(reply, ns.domain, asked.name)
}

function byName(op: Operation): Command<TransferNameInput, TransferData> {
  return {
    name: `domain transfer ${op}`,
    transforms: op !== 'query',
    frame: ({ name, auth_info }, cl_trid) =>
      commandFrame(cl_trid, action(op, name, authInfo(auth_info))),
    identify,
    parse,
  }
}

export const transferQuery = byName('query')
export const transferCancel = byName('cancel')
export const transferApprove = byName('approve')
export const transferReject = byName('reject')

export const transferRequest: Command<TransferRequestInput, TransferData> = {
  name: 'domain transfer request',
  transforms: true,
  frame({ name, auth_info, period_years, fee }, cl_trid) {
    const period = period_years === null ? '' : years('domain', period_years)
    const inside = action('request', name, `${period}${authInfo(auth_info)}`)
    return commandFrame(cl_trid, inside, feeAgreed('transfer', fee))
  },
  identify,
  parse,
}
