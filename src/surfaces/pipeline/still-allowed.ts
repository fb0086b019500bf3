// The right to act is read from the database itself right before an effect, so that a credential
// which ended or was narrowed while its call waited for an outside party changes nothing any more
// (decision 94).
import type { App, Caller, EffectOf, Operation, PresentRight } from '../../app.ts'
import { domainNotFound } from '../../capabilities/domains/index.ts'
import {
  addressNotAllowed,
  isAllowedAddress,
  isVisibleDomain,
  presentRights,
  recordsNeedNoApproval,
  requireRecordsAllowed,
} from '../../capabilities/limits/index.ts'
import { authorize } from './access-control.ts'
import { invalidToken } from './faults.ts'

type Asked = {
  operation: Operation
  /** The caller as it was admitted. */
  caller: Caller
  request: { address: string; pathCustomer: string | undefined }
}

/**
 * Throws the refusal that the same request would get now: 401, 403 or 404. An operation for anyone
 * needs no right. Outside a transaction it is looked up as a caller is when it is authenticated:
 * within a second, or 503.
 */
export async function assertStillAllowed(
  app: Pick<App, 'db'>,
  { operation, caller, request }: Asked,
  { sql, domain, scope, records = [] }: EffectOf = {},
): Promise<PresentRight> {
  if (operation.who.about === 'anyone') return { protected: false, records_free: false }
  const asked = { domain: domain ?? null, approval_id: null }
  const now = await presentRights(sql ?? { maybe: app.db.lookUp }, caller, asked)
  if (!now)
    throw invalidToken({ detail: 'The token ended during this request, which was not completed.' })
  for (const needed of [operation.who.scope, ...(scope ? [scope] : [])])
    authorize(
      { ...operation, who: { ...operation.who, scope: needed } },
      now.caller,
      request.pathCustomer,
    )
  if (!isAllowedAddress(now.caller, request.address)) throw addressNotAllowed()
  if (domain !== undefined && !isVisibleDomain(now.caller, domain)) throw domainNotFound()
  requireRecordsAllowed(now.caller, records)
  return { protected: now.protected, records_free: recordsNeedNoApproval(now.caller) }
}
