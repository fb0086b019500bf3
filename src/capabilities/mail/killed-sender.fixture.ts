// A process of its own that sends one round of mails and is killed before it marks the first:
// killed-sender.fixture.ts DATABASE_URL SMTP_URL
import { pino } from 'pino'
import { appOver } from '../../../test/support/test-pipeline.ts'
import { openSmtpMailer } from '../../adapters/mail/smtp.ts'
import { openDatabase } from '../../db/database.ts'
import { crashPoint } from '../../start/crash-point.ts'
import { systemCall } from '../audit/index.ts'
import { sendMails } from './send-mails.job.ts'

const [url = '', smtp_url = ''] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const database = await openDatabase({ url })
const mailer = openSmtpMailer({ url: smtp_url, from: 'no-reply@registrar.example', log })
const app = appOver(
  { database, url, query: async () => [], close: database.close },
  { app: { mailer, log, reached: crashPoint('mail_sent') } },
)
await sendMails.run(app, systemCall(app, 'send_mails'))
throw new Error('It was not killed')
