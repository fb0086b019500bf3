// Deletes a contact after its handle was typed; one that is in use stays, and the reason is shown.
import { type ContactHandleResponse, deleteContact } from 'sdk'
import { RemovalDialog } from '../../components/popups/removal-dialog.tsx'
import { useAccount } from '../../lib/account.ts'
import { doneOf } from '../../lib/api.ts'
import { contactsKey } from '../../lib/contact-queries.ts'
import { contactTexts as texts } from '../../messages/contacts.ts'

type Props = { contact: ContactHandleResponse; onClose: () => void }

export default function DeleteDialog({ contact, onClose }: Props) {
  const { id: customer_id } = useAccount()
  const { name, handle, id: contact_id } = contact
  return (
    <RemovalDialog
      title={texts.removeTitle(name)}
      text={texts.removeText}
      name={handle}
      action={texts.remove}
      done={texts.removed(name)}
      remove={() => doneOf(deleteContact({ path: { customer_id, contact_id } }))}
      stale={[contactsKey]}
      onClose={onClose}
    />
  )
}
