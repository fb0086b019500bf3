// The bearer token of a metrics scraper. It is compared in constant time and is no credential of
// the pipeline, so that it opens nothing else.
import type { Settings } from '../../config/config.ts'
import { sameSecret } from '../../kit/random.ts'

/**
 * Whether an Authorization header has the token of METRICS_TOKEN. False where none is set, so that
 * an empty one never matches.
 */
export function isMetricsToken(
  { metrics_token }: Pick<Settings, 'metrics_token'>,
  authorization: string | undefined,
): boolean {
  if (metrics_token === null || authorization === undefined) return false
  const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1]
  return token !== undefined && sameSecret(token, metrics_token)
}
