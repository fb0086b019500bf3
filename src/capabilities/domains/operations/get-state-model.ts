// Reads the states of a domain and of a paid operation, from the tables that the operations run on:
// GET /v1/state-model.
import Type, { type Static } from 'typebox'
import { anyone, type Operation, operation } from '../../../app.ts'
import { nullable, oneOf } from '../../../kit/schema.ts'
import { type DomainState, domainStates } from '../holdings/lifecycle.ts'
import { operationStateWords, states } from '../holdings/state-model.ts'
import { type DomainAction, domainActions, refusalOf, rules } from '../holdings/state-rules.ts'
import { operationStates, statuses } from '../schemas.ts'
import { approveTransfer, rejectTransfer } from './answer-transfer.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { configureDnsRecord } from './dns/configure-dns-record.ts'
import { listDnsRecords } from './dns/list-dns-records.ts'
import { getDomain } from './get-domain.ts'
import { lockDomain, unlockDomain } from './lock.ts'
import { getTransferAuthCode, regenerateTransferAuthCode } from './read-auth-code.ts'
import { registerDomain } from './register.ts'
import { renewDomain } from './renew.ts'
import { restoreDomain } from './restore.ts'
import { transferDomain } from './transfer.ts'
import { updateDomain } from './update-domain.ts'

/** The operation of the catalog for each action. */
const doneBy: Record<DomainAction, Operation> = {
  get_domain: getDomain,
  register_domain: registerDomain,
  renew_domain: renewDomain,
  restore_domain: restoreDomain,
  transfer_domain: transferDomain,
  cancel_transfer: cancelTransfer,
  set_auto_renew: updateDomain,
  update_nameservers: updateDomain,
  lock_domain: lockDomain,
  unlock_domain: unlockDomain,
  get_transfer_auth_code: getTransferAuthCode,
  regenerate_transfer_auth_code: regenerateTransferAuthCode,
  approve_transfer: approveTransfer,
  reject_transfer: rejectTransfer,
  configure_dns_record: configureDnsRecord,
  list_dns_records: listDnsRecords,
}

const advice = Type.Object(
  {
    type: Type.String(),
    operation: Type.String(),
    hint: Type.String(),
    when: Type.Optional(Type.String({ description: 'The condition under which it is advised.' })),
  },
  { title: 'StateAdvice' },
)
const transition = Type.Object(
  {
    to: nullable(
      oneOf(domainStates, {
        description: 'The next state, or null if get_domain then answers 404.',
      }),
    ),
    by: Type.String({ description: 'The cause.' }),
    operation: Type.Optional(Type.String({ description: 'The operation that causes it.' })),
  },
  { title: 'StateTransition' },
)
const domainState = Type.Object(
  {
    state: oneOf(domainStates),
    status: oneOf(statuses, { description: 'The status that a domain shows in this state.' }),
    shown_by: nullable(
      Type.String({ description: 'How to distinguish it from another state of the same status.' }),
    ),
    meaning: Type.String(),
    next_actions: Type.Array(advice),
    possible: Type.Array(Type.String(), {
      description: 'The operations that the state allows.',
    }),
    refused: Type.Unsafe<Record<string, DomainAction[]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'The other operations, with the code that refuses them.',
    }),
    transitions: Type.Array(transition),
  },
  { title: 'DomainState' },
)
const operationState = Type.Object(
  {
    state: oneOf(operationStates),
    meaning: Type.String(),
    money: oneOf(['held', 'paid', 'given_back'] as const),
    final: Type.Boolean(),
    next_actions: Type.Array(advice),
  },
  { title: 'OperationState' },
)
const action = Type.Object(
  {
    operation: Type.String({
      description: 'The operation, which is also the name of its MCP tool.',
    }),
    at: Type.String({ description: 'The method and path of its route.' }),
    scope: nullable(Type.String()),
    confirm: nullable(
      Type.String({ description: "Why it needs your owner's approval, or limit, first." }),
    ),
    unless: Type.Array(Type.String(), {
      description: 'The codes that may refuse it even in this state, besides price and funds.',
    }),
  },
  { title: 'StateOperation' },
)

const takes = Type.Object({
  status: Type.Optional(
    oneOf(statuses, { description: 'Only the states of a domain with this status.' }),
  ),
})

export const getStateModel = operation({
  name: 'get_state_model',
  does: 'Describe each status of a domain: its meaning, allowed actions and transitions.',
  more:
    'It is the same for every caller. "operation_states" describes "operation.state", and where ' +
    'the money is.',
  at: 'GET /v1/state-model',
  area: 'Domains',
  who: anyone(),
  takes,
  gives: Type.Object(
    {
      domain_states: Type.Array(domainState),
      operation_states: Type.Array(operationState),
      operations: Type.Array(action),
    },
    { title: 'StateModelResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'availability and pricing',
      title: 'Read the state model',
      examples: [{}, { status: 'redemption' }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  run: async ({ status }) => ({
    domain_states: domainStates
      .filter((one) => status === undefined || states[one].status === status)
      .map(describeState),
    operation_states: operationStates.map((state) => {
      const { next, ...words } = operationStateWords[state]
      return { state, ...words, next_actions: [...next] }
    }),
    operations: domainActions.map(actionOf),
  }),
})

function describeState(state: DomainState): Static<typeof domainState> {
  const { status, meaning, next, transitions, shown_by = null } = states[state]
  const refused: Record<string, DomainAction[]> = {}
  for (const one of domainActions) {
    const code = refusalOf(state, one)?.code
    if (code !== undefined) refused[code] = [...(refused[code] ?? []), one]
  }
  return {
    state,
    status,
    shown_by,
    meaning,
    next_actions: [...next],
    possible: domainActions.filter((one) => !refusalOf(state, one)),
    refused,
    transitions: [...transitions],
  }
}

function actionOf(name: DomainAction): Static<typeof action> {
  const { confirm = null, unless = [] } = rules[name]
  const { at, who } = doneBy[name]
  return { operation: name, at, scope: who.scope, confirm, unless: unless.map(({ code }) => code) }
}
