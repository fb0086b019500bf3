// Deletes a contact after its handle was typed; one that is in use stays, and the reason is shown.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ContactHandleResponse, deleteContact } from 'sdk'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { showToast } from '../../components/toasts.ts'
import { useAccount } from '../../lib/account.ts'
import { doneOf } from '../../lib/api.ts'
import { contactsKey } from '../../lib/contact-queries.ts'
import { common } from '../../messages/common.ts'
import { contactTexts as texts } from '../../messages/contacts.ts'

type Props = { contact: ContactHandleResponse; onClose: () => void }

export default function DeleteDialog({ contact, onClose }: Props) {
  const { id: customer_id } = useAccount()
  const queries = useQueryClient()
  const { name, handle, id: contact_id } = contact
  const removal = useMutation({
    mutationFn: () => doneOf(deleteContact({ path: { customer_id, contact_id } })),
    onSuccess: async () => {
      showToast({ title: texts.removed(name) })
      onClose()
      await queries.invalidateQueries({ queryKey: contactsKey })
    },
  })
  const title = texts.removeTitle(name)
  if (removal.isError)
    return (
      <Dialog open onClose={onClose} title={title}>
        <ErrorNotice error={removal.error} />
        <Button className="self-end" onClick={onClose}>
          {common.close}
        </Button>
      </Dialog>
    )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      description={texts.removeText}
      name={handle}
      action={texts.remove}
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
    />
  )
}
