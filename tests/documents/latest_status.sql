SELECT et.member_id,
       COALESCE((
         SELECT er.status
         FROM event_responses er
         WHERE er.event_id = et.event_id AND er.member_id = et.member_id
         ORDER BY er.responded_at DESC
         LIMIT 1
       ), 'pending') AS current_status,
       (
         SELECT er.extra_text
         FROM event_responses er
         WHERE er.event_id = et.event_id AND er.member_id = et.member_id
         ORDER BY er.responded_at DESC
         LIMIT 1
       ) AS current_extra
FROM event_targets et
WHERE et.event_id = :event_id
ORDER BY (SELECT display_order FROM members m WHERE m.id = et.member_id) ASC NULLS LAST;
