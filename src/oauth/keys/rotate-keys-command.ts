// rotate-oauth-keys for the command line. Running nodes hear of it and need no restart.
import { algorithms, type KeyParts, rotateKeys } from './keys.ts'

/** Rotates and says it in lines. */
export async function rotateKeysCommand(
  parts: KeyParts,
  { at_once }: { at_once: boolean },
): Promise<string[]> {
  const { signs_in_s, stays_s } = await rotateKeys(parts, { at_once })
  const made = `New keys for ${algorithms.join(', ')} are published at /oauth/jwks.`
  if (at_once) return [made, 'They sign from now on. Nothing signed by the old ones is believed.']
  const minutes = signs_in_s / 60
  const hours = stays_s / 3600
  return [made, `They sign in ${minutes} minutes; the old ones are believed ${hours} hours more.`]
}
