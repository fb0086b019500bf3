// Log-in by password on the page that shows a program's code: one page fewer than to log in after
// it. The password is checked before the library takes the code; the interaction begins logged in.
import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { hintsOtherAccount } from '../interaction/interaction-state.ts'
import type { Problem } from '../interaction/problems.ts'
import { type ProvenAccount, progressOf } from '../interaction/progress.ts'

/**
 * The result of a password that came with the code: a proven account, or why the password is asked
 * for again.
 */
export type DeviceLogIn =
  | { kind: 'proven'; account: ProvenAccount }
  | { kind: 'refused'; problem: Problem; email: string }
/** The log-ins, found by the library's request. */
export type DeviceLogIns = {
  of: (raw: IncomingMessage) => DeviceLogIn | undefined
  /** Whether this browser is logged in to the dashboard. */
  isLoggedIn: (raw: IncomingMessage) => Promise<boolean>
}

type Interaction = InstanceType<Provider['Interaction']>

/**
 * Logs a new interaction in if a log-in came with the code, but not where another account is known
 * already: the page of the interaction then asks for the account.
 */
export async function continueDeviceLogIn(
  log_ins: DeviceLogIns,
  { req }: Pick<KoaContextWithOIDC, 'req'>,
  interaction: Interaction,
): Promise<void> {
  const tried = log_ins.of(req)
  if (tried?.kind !== 'proven' || interaction.session?.accountId) return
  if (hintsOtherAccount(interaction, tried.account.customer_id)) return
  interaction.lastSubmission = { ...progressOf({}), account: tried.account }
  await interaction.persist()
}
