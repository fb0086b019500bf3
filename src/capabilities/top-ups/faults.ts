// Faults that the rails of top-ups have in common.
import { fault } from '../../kit/fault.ts'

export const notConfigured = fault('not_configured', 'unavailable', {
  sentence: 'This way to pay is not configured.',
  hint: 'An operator must configure it; another way to pay may be there.',
  next: 'contact_support',
  retryable: false,
})
