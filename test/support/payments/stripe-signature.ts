// Signatures of events of the simulated Stripe, as a test sends them.
import { createHmac } from 'node:crypto'

/** The webhook secret of the nodes of tests, if no setting says otherwise. */
export const webhookSecret = 'whsec_of_tests'

/** `Stripe-Signature` of a body that is signed now. */
export function stripeSignature(body: string, secret = webhookSecret): string {
  const seconds = Math.floor(Date.now() / 1_000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}
