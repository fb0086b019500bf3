// Link to the sandbox's mailbox, if this browser has one.
import { Link } from 'wouter'
import { routes } from '../../lib/routes.ts'
import { useHasMailbox } from '../../lib/use-mailbox.ts'
import { mailboxTexts as texts } from '../../messages/mailbox-texts.ts'
import { buttonClass } from '../button.tsx'
import { Icon } from '../icon.tsx'

export function MailboxLink() {
  if (!useHasMailbox()) return null
  return (
    <div className="mt-6 rounded-lg border border-line bg-surface px-4 py-3">
      <p className="text-sm text-muted">{texts.linkText}</p>
      <Link href={routes.mailbox} className={`${buttonClass()} mt-2`}>
        <Icon name="mail" />
        {texts.link}
      </Link>
    </div>
  )
}
