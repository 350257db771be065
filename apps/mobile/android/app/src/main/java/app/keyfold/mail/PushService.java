package app.keyfold.mail;

import android.app.NotificationManager;
import android.content.Context;
import androidx.annotation.NonNull;
import com.capacitorjs.plugins.pushnotifications.MessagingService;
import com.google.firebase.messaging.RemoteMessage;

/**
 * Takes a notification away when its mail was read elsewhere, while no page runs that could do it. What is to be shown Firebase
 * shows by itself, out of the texts in push.xml; everything else is the plugin's.
 */
public class PushService extends MessagingService {

    /** The number under which Firebase shows a notification that has a tag. */
    private static final int SHOWN_ID = 0;

    @Override
    public void onMessageReceived(@NonNull RemoteMessage message) {
        String id = message.getData().get("id");
        if ("read".equals(message.getData().get("type")) && id != null) {
            NotificationManager shown = (NotificationManager) getSystemService(Context.NOTIFICATION_SERVICE);
            // The tag is the mail's id, as the server gave it.
            shown.cancel(id, SHOWN_ID);
            return;
        }
        super.onMessageReceived(message);
    }
}
