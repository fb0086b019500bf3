// The support module: conversations of customers with the operators, and their event streams.
import { listSupportMessages, readSupportThread } from './messages/list-messages.ts'
import { markSupportRead, markThreadRead } from './messages/mark-read.ts'
import { sendSupportMessage, sendSupportReply } from './messages/send-message.ts'
import { mailSupportMessages } from './notices/mail-operators.job.ts'
import { mailUnreadReplies } from './notices/mail-unread.job.ts'
import { postSupportMessages } from './notices/post-to-chat.job.ts'
import { testSupportTransports } from './notices/test-transports.ts'
import { listSupportThreads } from './operators/list-threads.ts'
import { streamSupportEvents } from './streams/stream-events.ts'

export { SupportStreams } from './streams/support-streams.ts'

export const operations = [
  listSupportMessages,
  sendSupportMessage,
  markSupportRead,
  streamSupportEvents,
  listSupportThreads,
  readSupportThread,
  sendSupportReply,
  markThreadRead,
  testSupportTransports,
]
export const jobs = [mailSupportMessages, postSupportMessages, mailUnreadReplies]
