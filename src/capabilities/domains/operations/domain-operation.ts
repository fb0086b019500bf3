// Builder for the operations on one domain, with the common parts of their definitions, and the
// check that the domain is the customer's.

import Type, { type TSchema } from 'typebox'
import {
  type AuditFacts,
  type Call,
  type Definition,
  type Operation,
  operation,
  owner,
  type ToolDefinition,
} from '../../../app.ts'
import { faultWith } from '../../../kit/fault.ts'
import type { DomainName } from '../../../kit/random.ts'
import type { Scope, Who } from '../../../principals.ts'
import { approvalDeclined, tooManyApprovals } from '../../approvals/index.ts'
import { approvalRequired } from '../../limits/index.ts'
import { domainNotFound, domainPending, registryUnreachable } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { domainStateOfOrder } from '../holdings/lifecycle.ts'
import { type DomainAction, refusalOf } from '../holdings/state-rules.ts'
import { operationOf } from '../orders/order-presenter.ts'
import { openOrder } from '../orders/orders.sql.ts'
import { domainStatus } from '../schemas.ts'
import { changeRefused, changeUnconfirmed, changeUnderWay } from '../updates/update-faults.ts'
import { domainInPath } from './paid-request.ts'

const domainOnly = Type.Object({ domain: domainInPath })

/** The faults of any update of a holding at its registry. */
export const updateFaults = [
  domainNotFound,
  domainPending,
  changeUnderWay,
  changeRefused,
  changeUnconfirmed,
  registryUnreachable,
]

/** The faults of a change for which a key or an app may need the owner's approval. */
export const approvalFaults = [approvalRequired, approvalDeclined, tooManyApprovals]

/** A tool that by default takes just the domain and reaches the registry. */
type DomainTool = Omit<ToolDefinition, 'examples' | 'open_world'> &
  Partial<Pick<ToolDefinition, 'examples' | 'open_world'>>

type DomainOperation<I extends TSchema, O extends TSchema> = Omit<
  Definition<I, O>,
  'area' | 'who' | 'takes' | 'gives' | 'effect' | 'target' | 'tools'
> & {
  /** The scope that a key or an app needs, or the callers, if keys and apps may not call it. */
  scope: Scope | Who
  /** The input with the property `domain`; by default that is all. */
  takes?: I
  /** The answer, by default the domain's status. */
  gives?: O
  /** The effect, by default `own`. */
  effect?: 'none' | 'transaction'
  /** The action of the audit row, if it depends on the input. */
  actionOf?: (input: Readonly<Record<string, unknown>>) => string
  /** The metadata of the audit row. */
  metadataOf?: (input: Readonly<Record<string, unknown>>) => NonNullable<AuditFacts['metadata']>
  tools?: readonly DomainTool[]
}

/**
 * Declares an operation on the domain that the input names, which is the target of the audit row.
 */
export function domainOperation<
  I extends TSchema = typeof domainOnly,
  O extends TSchema = typeof domainStatus,
>(definition: DomainOperation<I, O>): Operation {
  const { scope, takes, gives, effect, actionOf, metadataOf, tools = [], ...rest } = definition
  return operation<TSchema, TSchema>({
    ...rest,
    area: 'Domains',
    who: typeof scope === 'string' ? owner(scope) : scope,
    takes: takes ?? domainOnly,
    gives: gives ?? domainStatus,
    effect: effect ?? 'own',
    ...(effect !== 'none' && {
      target: (input: { domain: DomainName } & Record<string, unknown>) => ({
        ...(actionOf && { action: actionOf(input) }),
        target_type: 'domain',
        target: input.domain.slice(0, 253),
        ...(metadataOf && { metadata: metadataOf(input) }),
      }),
    }),
    tools: tools.map((tool) => ({
      examples: [{ domain: 'my-agent.com' }],
      open_world: true,
      ...tool,
    })),
  })
}

/**
 * Throws the fault of the table of states for a name with an open order and no holding (409), with
 * the operation, and 404 for a name that is not the customer's at all.
 */
export async function requireHolding(
  { sql, customer_id }: Pick<Call, 'sql' | 'customer_id'>,
  domain: DomainName,
  action: DomainAction,
): Promise<Holding> {
  const held = await sql.maybe(holdingByName, { customer_id, name: domain })
  if (held) return held
  const order = await sql.maybe(openOrder, { domain, customer_id })
  const refusal = order && refusalOf(domainStateOfOrder(order), action)
  if (order && refusal) throw faultWith(refusal, { facts: { operation: operationOf(order) } })
  // The order may have ended between the two readings.
  const bought = await sql.maybe(holdingByName, { customer_id, name: domain })
  if (!bought) throw domainNotFound()
  return bought
}
