// Authentication of the customer tool: one key of the settings, in a header of its own. An
// operator's browser session, which the cookie authenticates, opens it as well (decision 58).
import type { Caller } from '../../app.ts'
import type { Settings } from '../../config/config.ts'
import { notConfigured } from '../../errors/faults.ts'
import { sameSecret } from '../../kit/random.ts'
import type { BrowserFields } from './cookie-authentication.ts'
import { customerToolKeyInvalid } from './faults.ts'

type Presented = { customer_tool_key?: string | undefined; browser?: BrowserFields }

/**
 * Compares the key in constant time. The caller is anonymous for a page of operators, whose cookie
 * comes next. Throws notConfigured (503) without a key in the settings, or 401.
 */
export function authenticateCustomerTool(
  { customer_tool_key: wanted }: Settings,
  { customer_tool_key: given, browser }: Presented,
): Caller {
  if (given === undefined && browser?.x_session === 'operator') return { kind: 'anonymous' }
  if (wanted === null)
    throw notConfigured({
      detail: 'The customer tool is not configured.',
      hint: 'An operator must set CUSTOMER_TOOL_KEY.',
    })
  if (given === undefined || !sameSecret(given, wanted)) throw customerToolKeyInvalid()
  return { kind: 'customer_tool' }
}
