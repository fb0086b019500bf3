// Fault injection at the sandbox registries: lists, arms and clears faults.
import Type from 'typebox'
import { type Call, operation, operatorOnly } from '../../app.ts'
import { nullable } from '../../kit/schema.ts'
import { storeAuditRow } from '../audit/index.ts'
import { askSandbox, sandboxUnreachable } from './faults.ts'

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 253, description }))

const faultFields = {
  name: Type.String({ minLength: 1, maxLength: 64, description: 'One of the known names.' }),
  registry: text('Only at this registry.'),
  command: text(
    'Only this command, e.g. domain:create. Without it, every command except hello, login and ' +
      'logout.',
  ),
  domain: text('Only commands about this name.'),
  registrar: text("Only commands of this registrar's sessions."),
  times: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'How often it happens: once if it is left out, and always if it is null.',
      }),
    ),
  ),
  delay_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 600_000,
      description: 'Lets the fault happen to names that could not be checked yet.',
    }),
  ),
  code: Type.Optional(
    Type.Integer({
      minimum: 1000,
      maximum: 2999,
      description: 'The result code of the fault "answer".',
    }),
  ),
  reason: text('The message of the registry with the code of the fault "answer".'),
}

const gives = Type.Object(
  {
    known: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The name to arm the fault with.' }),
          does: Type.String({ description: 'The effect of the fault.' }),
        },
        { title: 'SandboxFaultName' },
      ),
    ),
    armed: Type.Array(Type.Object(faultFields, { title: 'SandboxFault' }), {
      description: 'The remaining steps, in order.',
    }),
  },
  { title: 'SandboxFaultsResponse' },
)

const about = { area: 'Sandbox', who: operatorOnly(), gives, fails: [sandboxUnreachable] }
const target = { target_type: 'sandbox', target: 'faults' }

async function audit(call: Call, metadata: Record<string, unknown>): Promise<void> {
  await storeAuditRow(call.sql, call.auditRow({ ...target, status_code: 200, metadata }))
}

export const listSandboxFaults = operation({
  ...about,
  name: 'list_sandbox_faults',
  does: 'List the faults of the sandbox registries: all that can be armed, and the armed ones.',
  at: 'GET /v1/sandbox/faults',
  takes: Type.Object({}),
  effect: 'none',
  run: async (_input, _call, app) => askSandbox(app, ({ control }) => control.faults()),
})

export const armSandboxFault = operation({
  ...about,
  name: 'arm_sandbox_fault',
  does: 'Arm a fault at the sandbox registries.',
  more: 'A field that is left out matches everything. The first armed fault that matches applies.',
  at: 'POST /v1/sandbox/faults',
  takes: Type.Object(faultFields),
  effect: 'own',
  target: () => target,
  async run(fault, call, app) {
    const faults = await askSandbox(app, async ({ control }) => {
      await control.setFault(fault)
      return control.faults()
    })
    await audit(call, { fault })
    return faults
  },
})

export const clearSandboxFaults = operation({
  ...about,
  name: 'clear_sandbox_faults',
  does: 'Clear all armed faults of the sandbox registries.',
  at: 'DELETE /v1/sandbox/faults',
  takes: Type.Object({}),
  effect: 'own',
  target: () => target,
  async run(_input, call, app) {
    const faults = await askSandbox(app, async ({ control }) => {
      await control.clearFaults()
      return control.faults()
    })
    await audit(call, {})
    return faults
  },
})
