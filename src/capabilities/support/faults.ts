// Errors of support.
import { fault } from '../../kit/fault.ts'

export const tooManyStreams = fault('too_many_support_streams', 'limited', {
  sentence: 'The customer has reached its limit of open event streams.',
  hint: 'Close one of them, or try again after Retry-After; one stream can be shared.',
})
export const streamsFull = fault('support_streams_full', 'unavailable', {
  sentence: 'This node has reached its limit of open event streams.',
  hint: 'Try again after Retry-After, or list the messages instead.',
})
export const messagesLimited = fault('support_messages_limited', 'limited', {
  sentence: 'This account has sent too many messages in a short time.',
  hint: 'The message was not sent. Try again after Retry-After, with everything in one message.',
})
export const messageAbsent = fault('support_message_not_found', 'absent', {
  sentence: 'There is no message with this id in the conversation.',
  hint: 'List the messages for their ids.',
})
