// Mailbox of the sandbox: the mails of this browser's own requests, and of its account, with links
// as buttons and codes to copy.
import type { SandboxMail } from 'sdk'
import { Link, useSearchParams } from 'wouter'
import { buttonClass } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Icon } from '../components/icon.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EntryLogo } from '../components/sign-in/entry-page.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { formatMoment } from '../lib/format.ts'
import { type MailTextPart, mailTextParts } from '../lib/mail-text.ts'
import { routes } from '../lib/routes.ts'
import { useSession } from '../lib/session.ts'
import { readSignUp } from '../lib/sign-in/open-sign-up.ts'
import { useServiceUrls } from '../lib/sign-in/service-facts.ts'
import { useMail, useMailbox } from '../lib/use-mailbox.ts'
import { mailboxTexts as texts } from '../messages/mailbox-texts.ts'

export default function MailboxPage() {
  const [search] = useSearchParams()
  const mail_id = search.get('mail')
  const isLoggedIn = useSession().state === 'logged_in'
  return (
    <div className="max-w-2xl">
      {!isLoggedIn && <EntryLogo />}
      {mail_id === null ? <MailList /> : <OneMail key={mail_id} mail_id={mail_id} />}
      {!isLoggedIn && <WayBack />}
    </div>
  )
}

/** A link to the code of a sign-up that this browser has begun, else to the log-in. */
function WayBack() {
  const isSigningUp = readSignUp() !== null
  return (
    <p className="mt-6">
      <Link
        href={isSigningUp ? routes.verifySignUp : routes.logIn}
        className="text-sm text-accent-ink underline"
      >
        {isSigningUp ? texts.toCode : texts.toLogIn}
      </Link>
    </p>
  )
}

function MailList() {
  const mailbox = useMailbox()
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      {mailbox.state === 'reading' && <Skeleton lines={4} />}
      {mailbox.state === 'failed' && (
        <ErrorNotice error={mailbox.error} onRetry={() => location.reload()} />
      )}
      {mailbox.state === 'read' &&
        (mailbox.data.length === 0 ? <NoMails /> : <Mails mails={mailbox.data} />)}
    </>
  )
}

function Mails({ mails }: { mails: readonly SandboxMail[] }) {
  return (
    <Card>
      <ul aria-label={texts.mails} className="divide-y divide-line">
        {mails.map(({ mail_id, subject, to, sent_at }) => (
          <li key={mail_id}>
            <Link
              href={`${routes.mailbox}?mail=${mail_id}`}
              className="flex items-center gap-3 px-4 py-3 hover:bg-sunken"
            >
              <Icon name="mail" className="size-4 text-muted" />
              <span className="min-w-0 grow">
                <span className="block truncate font-medium text-ink">{subject}</span>
                <span className="block truncate text-sm text-muted">{texts.to(to)}</span>
              </span>
              <time
                dateTime={sent_at}
                className="shrink-0 text-right text-xs text-muted max-sm:max-w-20"
              >
                {formatMoment(sent_at)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function NoMails() {
  const { base_url } = useServiceUrls()
  const curl = `curl ${base_url}/v1/sandbox/mailbox \\
  -H "Authorization: Bearer $OPERATOR_KEY"`
  const isLoggedIn = useSession().state === 'logged_in'
  const action = !isLoggedIn && (
    <Link href={routes.signUp} className={buttonClass('primary')}>
      {texts.empty.action}
    </Link>
  )
  return (
    <EmptyState
      icon="mail"
      title={texts.empty.title}
      text={texts.empty.text}
      action={action}
      curl={curl}
    />
  )
}

function OneMail({ mail_id }: { mail_id: string }) {
  const mail = useMail(mail_id)
  return (
    <>
      <Link
        href={routes.mailbox}
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-accent-ink underline"
      >
        {texts.all}
      </Link>
      {mail.state === 'reading' && <Skeleton lines={6} />}
      {mail.state === 'failed' && (
        <>
          <PageHeader title={texts.title} />
          <ErrorNotice error={mail.error} />
        </>
      )}
      {mail.state === 'read' && (
        <>
          <PageHeader
            title={mail.data.subject}
            subtitle={`${texts.to(mail.data.to)} · ${formatMoment(mail.data.sent_at)}`}
          />
          <Card className="p-5">
            <div className="flex flex-col gap-4 break-words">
              {mailTextParts(mail.data.text).map((part, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts are never reordered
                <Part key={at} part={part} />
              ))}
            </div>
          </Card>
        </>
      )}
    </>
  )
}

function Part({ part }: { part: MailTextPart }) {
  switch (part.kind) {
    case 'code':
      return (
        <div className="flex items-center justify-between gap-3 rounded-lg border border-line bg-sunken py-2 pr-2 pl-4">
          <code className="font-mono text-xl font-semibold">{part.code}</code>
          <CopyButton text={part.code} />
        </div>
      )
    case 'link':
      return (
        <p>
          <a href={part.url} className={buttonClass('primary')}>
            {part.label}
          </a>
        </p>
      )
    case 'footer':
      return (
        <p className="border-t border-line pt-4 text-sm whitespace-pre-line text-muted">
          {part.lines.join('\n')}
        </p>
      )
    case 'paragraph':
      return <p className="whitespace-pre-line">{part.lines.join('\n')}</p>
  }
}
