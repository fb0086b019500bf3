// The other registrar of the sandbox registries, for tests: it sells what is to be transferred, and
// answers transfers. And a further session of ours, for what happens behind the service's back.
import { attempt, open, profileOf, rivalOf } from '../../src/adapters/registry/fixtures/sandbox.ts'
import type { Outcome, Registry } from '../../src/adapters/registry/port.ts'
import type { TestService } from './service.ts'

export const soldCode = 'Sold-Elsewhere-4711'

type Registries = { rival: Registry; own: Registry }
const known = new WeakMap<object, Map<string, Registries>>()

/** Opened once a service and registry. */
function registriesOf({ sandbox, closers }: TestService, domain: string): Registries {
  const tld = domain.slice(domain.indexOf('.') + 1)
  const name = sandbox.registries.thin.tlds.includes(tld) ? 'thin' : 'thick'
  const opened = known.get(sandbox) ?? new Map<string, Registries>()
  known.set(sandbox, opened)
  const before = opened.get(name)
  if (before) return before
  const rival = open({ ...rivalOf(sandbox, name), sessions: 1 })
  const own = open({ ...profileOf(sandbox, name), sessions: 1 })
  closers.push(
    () => rival.close(),
    () => own.close(),
  )
  opened.set(name, { rival, own })
  return { rival, own }
}

async function must<T>(outcome: Promise<Outcome<T>>): Promise<T | null> {
  const done = await outcome
  if (done.kind === 'done') return done.value
  if (done.kind === 'accepted') return null
  throw new Error(`${done.kind}: ${done.message}`)
}

/** Registers a domain at the other registrar (a thin TLD), free to be transferred at once. */
export async function sellElsewhere(registrar: TestService, domain: string): Promise<void> {
  registrar.sandbox.settings.sixty_day_rule = false
  const { rival } = registriesOf(registrar, domain)
  await must(
    rival.register(
      {
        domain,
        period_years: 1,
        nameservers: ['ns1.example.net', 'ns2.example.net'],
        registrant: null,
        contacts: [],
        auth_info: soldCode,
        fee: null,
      },
      attempt(),
    ),
  )
}

/** The other registrar asks for a domain of ours. */
export async function askAway(
  registrar: TestService,
  { domain, auth_info }: { domain: string; auth_info: string },
): Promise<void> {
  registrar.sandbox.settings.sixty_day_rule = false
  const { rival } = registriesOf(registrar, domain)
  const asked = rival.transferRequest({ domain, auth_info, period_years: 1, fee: null }, attempt())
  await must(asked)
}

/** The other registrar approves or rejects a transfer of its domain. */
export async function answerTransfer(
  registrar: TestService,
  domain: string,
  answer: 'approve' | 'reject',
): Promise<void> {
  const { rival } = registriesOf(registrar, domain)
  const say = answer === 'approve' ? rival.transferApprove : rival.transferReject
  await must(say(domain, attempt()))
}

/** The other registrar no longer wants a domain of ours that it had asked for. */
export async function cancelAway(registrar: TestService, domain: string): Promise<void> {
  await must(registriesOf(registrar, domain).rival.transferCancel(domain, attempt()))
}

/** Sets a transfer code of a domain of ours at the registry without the service. */
export async function setCodeBehind(
  registrar: TestService,
  { domain, auth_info }: { domain: string; auth_info: string },
): Promise<void> {
  await must(registriesOf(registrar, domain).own.update({ domain, auth_info }, attempt()))
}

/** Sets statuses of a domain of ours at the registry without the service. */
export async function setStatusesBehind(
  registrar: TestService,
  domain: string,
  statuses: { add: string[]; remove: string[] },
): Promise<void> {
  await must(registriesOf(registrar, domain).own.update({ domain, statuses }, attempt()))
}

/** The other registrar sets statuses of its domain, also while we have asked for it. */
export async function setStatusesElsewhere(
  registrar: TestService,
  domain: string,
  add: string[],
): Promise<void> {
  const change = { domain, statuses: { add, remove: [] } }
  await must(registriesOf(registrar, domain).rival.update(change, attempt()))
}

/** Deletes a domain of ours at the registry without the service; past its add grace: redemption. */
export async function deleteBehind(registrar: TestService, domain: string): Promise<void> {
  await must(registriesOf(registrar, domain).own.delete(domain, attempt()))
}

/** Restores a domain of ours at the registry without the service; its report is not sent. */
export async function restoreBehind(registrar: TestService, domain: string): Promise<void> {
  await must(registriesOf(registrar, domain).own.restore({ domain, fee: null }, attempt()))
}

/** Sets the name servers of a domain of ours at the registry without the service. */
export async function setNameserversBehind(
  registrar: TestService,
  domain: string,
  nameservers: { add: string[]; remove: string[] },
): Promise<void> {
  const { own } = registriesOf(registrar, domain)
  await must(own.ensureHosts(nameservers.add, 'normal'))
  await must(own.update({ domain, nameservers }, attempt()))
}
