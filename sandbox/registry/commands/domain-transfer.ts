// domain:transfer: request, query, approve, reject, cancel (RFC 5731 sections 3.1.3 and 3.2.4).

import { DAY_MS } from '../../support/sandbox-clock.ts'
import { priceOf } from '../model/prices.ts'
import type { Domain, Transfer } from '../model/records.ts'
import {
  abandonTransfer,
  completeTransfer,
  notifyTransfer,
  shownExpiry,
  TRANSFER_MS,
  transferData,
  transferExpiry,
} from '../model/transfers.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import { type Call, readDomain, refuseStatuses } from './command-context.ts'
import { readYears } from './domain-parts.ts'
import { acknowledgeFee, feeResult } from './fees.ts'
import { child, inOrder, readAuthInfo } from './field-parser.ts'

const LOCK_DAYS = 60

export function transferDomain(call: Call): Reply {
  inOrder(call.body, 'name period authInfo')
  const domain = readDomain(call)
  switch (call.op) {
    case 'request':
      return request(call, domain)
    case 'query':
      return query(call, domain)
    case 'approve': {
      requireParty(call, pendingOf(domain).losing)
      const moved = completeTransfer(call.registry, domain, {
        status: 'clientApproved',
        at: call.now,
      })
      return answer(call, moved, 1000)
    }
    case 'reject': {
      requireParty(call, pendingOf(domain).losing)
      const end = { status: 'clientRejected', at: call.now } as const
      return answer(call, abandonTransfer(call.registry, domain, end), 1000)
    }
    case 'cancel': {
      requireParty(call, pendingOf(domain).gaining)
      const end = { status: 'clientCancelled', at: call.now } as const
      return answer(call, abandonTransfer(call.registry, domain, end), 1000)
    }
    default:
      throw new Refused(2005, 'transfer op')
  }
}

function request(call: Call, domain: Domain): Reply {
  const { registry } = call
  if (domain.transfer?.status === 'pending') throw new Refused(2300, 'a transfer is pending')
  if (domain.sponsor === call.registrar) throw new Refused(2106, 'it is already yours')
  refuseStatuses(domain, 'Transfer')
  const auth = readAuthInfo(call.body)
  if (auth === null || auth === '') throw new Refused(2003, 'authInfo is required')
  if (auth !== domain.auth_info) throw new Refused(2202, 'authInfo does not match')
  const since = domain.transferred_at ?? domain.created_at
  if (registry.settings.sixty_day_rule && call.now < since + LOCK_DAYS * DAY_MS) {
    throw new Refused(2201, `no transfer in the first ${LOCK_DAYS} days`)
  }
  requirePeriod(call)
  const price = priceOf(registry, domain.name, { kind: 'transfer', years: 1 })
  acknowledgeFee(call, price)
  registry.requireCredit(call.registrar, price.cents)
  const transfer: Transfer = {
    status: 'pending',
    gaining: call.registrar,
    losing: domain.sponsor,
    requested_at: call.now,
    acts_at: call.now + TRANSFER_MS,
    cl_trid: call.cl_trid,
    sv_trid: call.sv_trid,
  }
  const next: Domain = { ...domain, transfer }
  registry.domains.put(domain.name, next)
  notifyTransfer(registry, next, [transfer.losing])
  return {
    code: 1001,
    data: transferData(
      domain.name,
      transfer,
      registry.settings.hides_expiry ? null : transferExpiry(registry, domain, transfer.acts_at),
    ),
    extension: feeResult(call, 'trnData', price.cents),
  }
}

/** A transfer adds the period of the registry, if it takes one. */
function requirePeriod(call: Call): void {
  const { transfer_years, transfer_without_period } = call.registry.settings
  if (transfer_without_period) {
    if (child(call.body, 'period') === undefined) return
    throw new Refused(2105, 'a transfer has no period')
  }
  if (readYears(call.body) !== transfer_years)
    throw new Refused(2306, `a transfer adds ${transfer_years} years`)
}

function query(call: Call, domain: Domain): Reply {
  const { transfer } = domain
  const auth = readAuthInfo(call.body)
  const party = [domain.sponsor, transfer?.gaining, transfer?.losing].includes(call.registrar)
  if (!party && (auth === null || auth === '')) throw new Refused(2201, 'not a party to it')
  if (!party && auth !== domain.auth_info) throw new Refused(2202, 'authInfo does not match')
  if (transfer === null) throw new Refused(2301, 'it was never transferred')
  return answer(call, domain, 1000)
}

function answer({ registry }: Call, domain: Domain, code: number): Reply {
  const { transfer } = domain
  if (transfer === null) throw new Refused(2301, 'no transfer')
  const moved = transfer.status === 'clientApproved' || transfer.status === 'serverApproved'
  return {
    code,
    data: transferData(domain.name, transfer, moved ? shownExpiry(registry, domain) : null),
  }
}

function pendingOf(domain: Domain): Transfer {
  if (domain.transfer?.status !== 'pending') throw new Refused(2301, 'no transfer is pending')
  return domain.transfer
}

function requireParty(call: Call, registrar: string): void {
  if (call.registrar !== registrar) throw new Refused(2201, 'not yours to decide')
}
