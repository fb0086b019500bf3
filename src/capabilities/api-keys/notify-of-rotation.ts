// Notifies the owner of a new secret that a key did not give itself, in the transaction that sets
// it.
import type { App, Call } from '../../app.ts'
import { publicUrls } from '../../origins.ts'
import { callersMail } from '../mail/index.ts'
import { keyRotatedEmail } from './emails.ts'

type Rotated = { id: number | bigint; key_prefix: string; name: string | null }

export async function notifyOfRotation(
  { settings, clock }: Pick<App, 'settings' | 'clock'>,
  call: Call,
  key: Rotated,
): Promise<void> {
  const { caller: by } = call
  if (by.kind === 'api_key' && by.key_id === BigInt(key.id)) return
  const { dashboard_url } = publicUrls(settings)
  const rotation = { by, at: clock.now(), dashboard_url }
  await callersMail(call, keyRotatedEmail(key, rotation))
}
