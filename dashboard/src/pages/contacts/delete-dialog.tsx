// Deletes a contact after the user has typed its handle. A contact that domains use stays, and the
// dialog lists these domains instead.
import { type ContactHandleResponse, deleteContact } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { RemovalDialog } from '../../components/popups/removal-dialog.tsx'
import { useAccount } from '../../lib/account.ts'
import { doneOf } from '../../lib/api.ts'
import { contactsKey } from '../../lib/contact-queries.ts'
import { common } from '../../messages/common-texts.ts'
import { contactTexts as texts } from '../../messages/contact-texts.ts'

type Props = {
  contact: ContactHandleResponse
  /** The domains that use the contact. */
  domains: readonly string[]
  onEdit: () => void
  onClose: () => void
}

export default function DeleteDialog({ contact, domains, onEdit, onClose }: Props) {
  const { id: customer_id } = useAccount()
  const { name, handle, id: contact_id } = contact
  if (domains.length > 0)
    return (
      <Dialog open onClose={onClose} title={texts.inUse(name)} description={texts.inUseText}>
        <ul className="max-h-48 list-disc overflow-y-auto pl-5 break-all">
          {domains.map((domain) => (
            <li key={domain}>{domain}</li>
          ))}
        </ul>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.close}</Button>
          <Button look="primary" onClick={onEdit}>
            {texts.edit}
          </Button>
        </div>
      </Dialog>
    )
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
