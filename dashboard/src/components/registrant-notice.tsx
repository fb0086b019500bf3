// A notice before a purchase: without a default registrant, an agent's is refused. The dashboard's
// own checkout asks for one.
import { Link } from 'wouter'
import { useContacts } from '../lib/contact-queries.ts'
import { routes } from '../lib/routes.ts'
import { registrantTexts as texts } from '../messages/account/registrant-texts.ts'
import { buttonClass } from './button.tsx'
import { Callout } from './callout.tsx'

type Props = {
  /** Where the page itself has the contacts to choose from, or shows that there are none. */
  isContactsPage?: boolean
}

/** Nothing where a contact is the default registrant, and while that is not known. */
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
