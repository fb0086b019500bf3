// SQL of passwords and of known networks.
import { statement } from '../../../db/statement.ts'

/**
 * The account with an e-mail address (in lower case), and whether `address` is of a known network.
 */
export const accountOfEmail = statement(
  'sign_in_account_of_email',
  `select c.id, c.status = 'suspended' as suspended, p.hash, p.changed_at,
          exists (select from sign_in_networks n
                   where n.customer_id = c.id and n.address = :address) as is_usual
     from customers c left join passwords p on p.customer_id = c.id
    where lower(c.email collate "C") = :email and c.status <> 'closed'`,
  { not_null: ['suspended', 'is_usual', 'id'] },
)

/** The same password rehashed with other costs; changed_at stays. */
export const renewHash = statement(
  'passwords_renew_hash',
  'update passwords set hash = :new_hash where customer_id = :customer_id and hash = :old_hash',
)

export const putPassword = statement(
  'passwords_put',
  `insert into passwords (customer_id, hash, changed_at) values (:customer_id, :hash, :changed_at)
   on conflict (customer_id) do update
     set hash = excluded.hash, changed_at = excluded.changed_at`,
)

/** Notes a network of the account, and keeps its latest hundred others. */
export const notePlace = statement(
  'sign_in_note_place',
  `with noted as (
     insert into sign_in_networks (customer_id, address, last_at)
     values (:customer_id, :address, :last_at)
     on conflict (customer_id, address) do update set last_at = excluded.last_at
   )
   delete from sign_in_networks
    where customer_id = :customer_id and address in (
      select address from sign_in_networks where customer_id = :customer_id and address <> :address
       order by last_at desc offset 99)`,
)
