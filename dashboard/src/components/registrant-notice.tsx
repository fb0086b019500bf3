// Notice before a purchase: without a default registrant, an agent's purchase is refused. The
// dashboard's own checkout asks for a registrant.
import { Link } from 'wouter'
import { useContacts } from '../lib/contact-queries.ts'
import { routes } from '../lib/routes.ts'
import { registrantTexts as texts } from '../messages/account/registrant-texts.ts'
import { buttonClass } from './button.tsx'
import { Callout } from './callout.tsx'

type Props = {
  /** Whether the page itself lists the contacts to choose from, or says that there are none. */
  isContactsPage?: boolean
}

/** Renders nothing if a contact is the default registrant, or while that is unknown. */
export function RegistrantNotice({ isContactsPage = false }: Props) {
  const { data } = useContacts()
  if (!data || data.some((one) => one.default_registrant)) return null
  if (isContactsPage && data.length === 0) return null
  return (
    <div className="mb-5">
      <Callout tone="warn" title={texts.title}>
        <p>{data.length === 0 ? texts.none : texts.notDefault}</p>
        {!isContactsPage && (
          <Link href={routes.contacts} className={`${buttonClass()} mt-2`}>
            {texts.contacts}
          </Link>
        )}
      </Callout>
    </div>
  )
}
