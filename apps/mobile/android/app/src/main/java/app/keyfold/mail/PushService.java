package app.keyfold.mail;

import android.app.NotificationManager;
import android.content.Context;
import androidx.annotation.NonNull;
import com.capacitorjs.plugins.pushnotifications.MessagingService;
import com.google.firebase.messaging.RemoteMessage;

/**
 * Removes a notification when its message was read elsewhere, while no page runs that could do so.
 * Firebase itself shows notifications, with the texts in push.xml. The plugin does everything else.
 */
public class PushService extends MessagingService {

    /** The id under which Firebase shows a notification that has a tag. */
    private static final int SHOWN_ID = 0;

    @Override
    public void onMessageReceived(@NonNull RemoteMessage message) {
        String id = message.getData().get("id");
        if ("read".equals(message.getData().get("type")) && id != null) {
            NotificationManager shown = (NotificationManager) getSystemService(Context.NOTIFICATION_SERVICE);
            // The tag is the message's id from the server.
            shown.cancel(id, SHOWN_ID);
            return;
        }
        super.onMessageReceived(message);
    }
}
